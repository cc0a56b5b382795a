/** The rows of the port, the drafts that become rows, and the slices of lists. */
export type * from "./contacts.ts";
export type * from "./events.ts";
export type * from "./definitions.ts";
export type * from "./audiences.ts";
export type * from "./checklists.ts";
export type * from "./api-keys.ts";
export type * from "./webhooks.ts";
export type * from "./pages.ts";
export type * from "./results.ts";
