import { createHash } from "node:crypto";
import { TrackerError } from "../../lib/errors.ts";
import { refusal, type Answer } from "../../lib/http/answer.ts";
import { allow, type Headers } from "../../lib/http/headers.ts";
import type { Call } from "../../lib/http/respond.ts";
import { ok } from "../../lib/http/statuses.ts";
import { icon, script, style } from "./bundle.js";

const files: Readonly<Record<string, { type: string; text: string }>> = {
  "/script.js": { type: "text/javascript", text: script },
  "/style.css": { type: "text/css", text: style },
  "/icon.svg": { type: "image/svg+xml", text: icon },
};

/** The page asks for its files with this query, so that a browser may keep them. */
const version = createHash("sha256").update(script).update(style).update(icon).digest("base64url").slice(0, 12);
const forever: Headers = ["Cache-Control", "private, max-age=31536000, immutable"];

export interface PageOptions {
  basePath: string;
  /** Whether the page may ask for the server's password. */
  hasLogin: boolean;
}

/** Whether the path is that of the page, or of a file that it needs. */
export function isPage(path: string): boolean {
  return path === "" || path === "/" || Object.hasOwn(files, path);
}

/** Answers the one HTML page, or a file that it needs. Which page of the dashboard is shown stands behind the `#`. */
export function answerPage(
  { method, path, query }: Pick<Call, "method" | "path" | "query">,
  options: PageOptions,
): Answer {
  if (!isPage(path)) throw new TrackerError("route_not_found");
  if (method !== "GET" && method !== "HEAD")
    return refusal(new TrackerError("method_not_allowed"), allow(["GET", "HEAD"]));
  const file = files[path];
  if (!file) return textAnswer(pageOf(options), "text/html");
  // Another version is not kept: while servers are updated, one may be asked for the script of another.
  return textAnswer(file.text, file.type, query === version ? forever : []);
}

function textAnswer(body: string, type: string, headers: Headers = []): Answer {
  const length = String(Buffer.byteLength(body));
  return {
    status: ok,
    headers: ["Content-Type", `${type}; charset=utf-8`, "Content-Length", length, ...headers],
    body,
  };
}

function pageOf({ basePath, hasLogin }: PageOptions): string {
  const base = basePath.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<!doctype html>
<html lang="en" data-base-path="${base}"${hasLogin ? " data-has-login" : ""}>
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
