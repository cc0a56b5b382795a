import { createHash } from "node:crypto";
import { TrackerError } from "../../lib/errors.ts";
import { refusal, type Answer } from "../../lib/http/answer.ts";
import { allow } from "../../lib/http/headers.ts";
import { ok } from "../../lib/http/statuses.ts";
import { icon, script, style } from "./bundle.js";

const files: Readonly<Record<string, { type: string; text: string }>> = {
  "/script.js": { type: "text/javascript", text: script },
  "/style.css": { type: "text/css", text: style },
  "/icon.svg": { type: "image/svg+xml", text: icon },
};

/** The page knows its files by a version, so that a browser may keep them. */
const version = createHash("sha256").update(script).update(style).update(icon).digest("base64url").slice(0, 12);

export interface PageOptions {
  basePath: string;
  /** Whether the page may ask for the server's password. */
  hasLogin: boolean;
}

/** Answers the one HTML page, or a file that it needs. Which page of the dashboard is shown stands behind the `#`. */
export function answerPage(method: string, path: string, options: PageOptions): Answer {
  const isPage = path === "" || path === "/";
  const file = Object.hasOwn(files, path) ? files[path] : undefined;
  if (!isPage && !file) throw new TrackerError("route_not_found");
  if (method !== "GET" && method !== "HEAD")
    return refusal(new TrackerError("method_not_allowed"), allow(["GET", "HEAD"]));
  if (file) return textAnswer(file.text, file.type, "private, max-age=31536000, immutable");
  return textAnswer(pageOf(options), "text/html", "no-store");
}

function textAnswer(body: string, type: string, caching: string): Answer {
  const length = String(Buffer.byteLength(body));
  const headers = ["Content-Type", `${type}; charset=utf-8`, "Content-Length", length, "Cache-Control", caching];
  return { status: ok, headers, body };
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
