/** Contacts that are there before the load starts. */
export const knownEmails: readonly string[] = Array.from({ length: 200 }, (_, index) => `user${index}@example.com`);

/** The contact that loops of its own write, and no other. */
export const contestedEmail = "contested@example.com";
