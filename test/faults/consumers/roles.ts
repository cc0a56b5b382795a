/** The job of a process. */
export type Role = "write" | "consume";

export const roles: readonly Role[] = ["write", "write", "write", "consume", "consume", "consume"];

/** How many contacts each consumer handles at a time. The last has more than its pool lets into transactions at once. */
export const concurrencies: readonly number[] = [1, 3, 8];

/** The tables that the handlers of the two subscriptions write: with the progress of the consumer, and apart from it. */
export const handledTables = { reward: "rewards", mail: "mails" } as const;
