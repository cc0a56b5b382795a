/** The path of a request target: origin form (`/a?b`), or the absolute form of proxies and of a `Request` (RFC 9112 section 3.2). */
export function pathOf(target: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(target)?.[1] || "/";
}

/** Takes the base path off where it stands at a segment boundary; any other path counts as stripped by the mount. */
export function withoutBase(path: string, basePath: string): string {
  return isBelow(path, basePath) ? path.slice(basePath.length) : path;
}

/** Whether the path is the base path or goes on from it at a segment boundary. */
export function isBelow(path: string, basePath: string): boolean {
  return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === "/");
}

/** Raw bytes beyond ASCII are no URI (RFC 3986 section 2), and which door decoded them how is anybody's guess. */
export function isValidPath(path: string): boolean {
  if (!/^[\x21-\x7e]*$/.test(path)) return false;
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
