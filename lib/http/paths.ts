/**
 * The path of a request target in origin form (`/a?b`) or absolute form (from a proxy or `Request`). RFC 9112 section 3.2.
 */
export function pathOf(target: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(target)?.[1] || "/";
}

/** The query of such a request target, without its question mark; empty if there is none. */
export function queryOf(target: string): string {
  return /^[^?#]*\?([^#]*)/.exec(target)?.[1] ?? "";
}

/** Removes the base path if it ends at a segment boundary. For any other path, the framework has removed it already. */
export function withoutBase(path: string, basePath: string): string {
  return isBelow(path, basePath) ? path.slice(basePath.length) : path;
}

/** Whether the path is the base path, or starts with it and continues with a slash. */
export function isBelow(path: string, basePath: string): boolean {
  return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === "/");
}

/**
 * Whether the path or query is validly percent-encoded, in UTF-8. Refuses raw bytes beyond ASCII: a URI has none (RFC 3986
 * section 2), and frameworks decode them differently.
 */
export function isValidlyEncoded(part: string): boolean {
  if (!/^[\x21-\x7e]*$/.test(part)) return false;
  if (!part.includes("%")) return true;
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/**
 * Throws a `RangeError` unless a URL can have the path and it ends without a slash. A browser reads a backslash as a slash, and
 * `/\host` as another origin.
 */
export function assertBasePath(basePath: unknown): asserts basePath is string {
  if (typeof basePath === "string" && /^(?:\/[^/?#\\]+)*$/.test(basePath) && isValidlyEncoded(basePath)) return;
  throw new RangeError("basePath must be empty, or a path as URLs have it that ends without a slash");
}
