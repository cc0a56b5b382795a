/** Names and sizes that the server and the page share. The paths are below the base path. */

export const checklistsPath = "/checklists";
export const eventsPath = "/events";
export const scriptPath = "/whodid.js";

/**
 * The header of every write. Pages of other origins cannot send it, because the browser asks the server first. In an answer, the
 * header is a tag of the visitor. A write that sends the tag of another visitor is refused.
 */
export const ownHeader = "x-whodid-visitor";

/** The claims of a visitor's token that the door reads, of any type: whoever has a secret may sign anything. */
export type Claims = Readonly<Partial<Record<"sub" | "exp" | "nbf" | "iat" | "workspace" | "email" | "name", unknown>>>;

/** The number of events in a request. */
export const eventsPerRequestMax = 20;
/** The size of an event as JSON. Pages send few properties. */
export const eventMaxBytes: number = 4 * 1_024;
