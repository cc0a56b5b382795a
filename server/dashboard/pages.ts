import { createHash } from "node:crypto";
import { TrackerError } from "../../lib/model/errors.ts";
import { notAllowed, textAnswer, type Answer } from "../../lib/http/answer.ts";
import type { Headers } from "../../lib/http/headers.ts";
import type { Call } from "../../lib/http/respond.ts";
import { icon, script, style } from "./bundle.js";

// Made once. Anybody may request the files, and a client that does not read the answers could request many.
const files: Readonly<Record<string, Answer>> = {
  "/script.js": textAnswer(script, "text/javascript"),
  "/style.css": textAnswer(style, "text/css"),
  "/icon.svg": textAnswer(icon, "image/svg+xml"),
};

/** The page asks for its files with this query, so that a browser may keep them. */
const version = createHash("sha256").update(script).update(style).update(icon).digest("base64url").slice(0, 12);
const forever: Headers = ["Cache-Control", "private, max-age=31536000, immutable"];

export interface PageOptions {
  basePath: string;
  /** The path of the API that the page asks with an API key; `null` if the host knows the caller. */
  apiPath: string | null;
}

/** Whether the path is that of the page, or of a file that it needs. */
export function isPage(path: string): boolean {
  return path === "" || path === "/" || Object.hasOwn(files, path);
}

/** Answers the one HTML page, or a file that it needs. The part behind the `#` selects the page of the dashboard. */
export function createPages(options: PageOptions): (call: Pick<Call, "method" | "path" | "query">) => Answer {
  const page = textAnswer(pageOf(options), "text/html");
  return ({ method, path, query }) => {
    if (!isPage(path)) throw new TrackerError("route_not_found");
    if (method !== "GET" && method !== "HEAD") return notAllowed(["GET", "HEAD"]);
    const file = files[path];
    if (!file) return page;
    // Cached only if the query has this version: during an update, a page of another version may ask this server.
    return query === version ? { ...file, headers: file.headers.concat(forever) } : file;
  };
}

function pageOf({ basePath, apiPath }: PageOptions): string {
  const base = basePath.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<!doctype html>
<html lang="en" data-base-path="${base}"${apiPath === null ? "" : ` data-api-path="${apiPath}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>whodid</title>
<link rel="icon" href="${base}/icon.svg?${version}">
<link rel="stylesheet" href="${base}/style.css?${version}">
<script type="module" src="${base}/script.js?${version}"></script>
</head>
<body><div id="app"></div><noscript>The dashboard needs JavaScript.</noscript></body>
</html>
`;
}
