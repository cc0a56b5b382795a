/** The version of the package. A constant, because a bundled app has no package.json to read. */
export const version = "0.2.0";
