/** Names that a mounted dashboard and its pages share. The path is below the base path. */

export const apiPath = "/api";

/** The header that the pages send with every write. Other origins cannot send it, because the browser asks the server first. */
export const ownHeader = "x-whodid-dashboard";
