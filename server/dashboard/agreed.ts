/** Names that the server and the pages of the dashboard share. The paths are below the base path. */

export const apiPath = "/api";
export const sessionPath = "/session";

/** The header that the pages send with every write. Other origins cannot send it: browsers ask the server first. */
export const ownHeader = "x-whodid-dashboard";
