/** The job of a process. */
export type Role = "write" | "consume";

/** The tables that the handlers of the two subscriptions write: with the progress of the consumer, and apart from it. */
export const handledTables = { reward: "rewards", mail: "mails" } as const;
