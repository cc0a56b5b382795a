import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** The part of the address behind `#`: the decoded segments of a path, and a query. */
export interface PageLocation {
  path: readonly string[];
  query: Readonly<Record<string, string>>;
}

export function parseLocation(hash: string): PageLocation {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return {
    path: path.split("/").filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** The address of a page. Leaves out empty parts of the query. */
export function hrefOf(path: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  const search = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : "";
  return `#/${path.map(encodeURIComponent).join("/")}${search}`;
}

/** Goes to a page, which the browser's history remembers. */
export function goTo(href: string): void {
  location.hash = href;
}

/** Changes the address of the page that is shown, so that a reload shows the same. Back skips the old address. */
export function replaceLocation(href: string): void {
  history.replaceState(null, "", href);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/**
 * Returns a function that says whether the component is still shown. Ask it before navigating after an answer: the user may have left
 * the page in the meantime.
 */
export function useIsThere(): () => boolean {
  const isThere = useRef(true);
  useEffect(() => () => void (isThere.current = false), []);
  return () => isThere.current;
}

export function useLocation(): PageLocation {
  const [current, setCurrent] = useState(() => parseLocation(location.hash));
  // A layout effect listens before the browser paints, so that it misses no change of the address.
  useLayoutEffect(() => {
    const onChange = (): void => setCurrent(parseLocation(location.hash));
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return current;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
