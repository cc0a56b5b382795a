/** The rules for the URL of a webhook. */
import { isIP } from "node:net";
import { problem, type Problem } from "../input/problems.ts";
import { isPublicAddress } from "./addresses.ts";

/** Hosts with their ports, as `host:port`, that may have any address and port, and may be reached by http. */
export type AllowedHosts = ReadonlySet<string>;

/** Reads the hosts into the form that a URL has them in. `null` if an entry is not `host:port`, such as `[::1]:8080`. */
export function readAllowedHosts(entries: readonly string[]): AllowedHosts | null {
  const urls = entries.map((entry) => (/^[^/\\?#@*\s]+:\d+$/.test(entry) ? `http://${entry}` : ""));
  return urls.every((url) => URL.canParse(url)) ? new Set(urls.map((url) => hostAndPortOf(new URL(url)))) : null;
}

export function isAllowedHost(url: URL, allow: AllowedHosts): boolean {
  return allow.has(hostAndPortOf(url));
}

function hostAndPortOf(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

/** The port, which the URL leaves out if it is the default of its scheme. */
export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? httpsPort : httpPort;
}

const httpsPort = 443;
const httpPort = 80;
/** Other services listen on most ports up to this one, and may take a request for commands of their protocol. */
const lastReservedPort = 1_023;

/** The name or address of the host, without the brackets of IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** The part of a URL that logs, errors and metrics may show: path and query may hold secrets. `"null"` if it is no URL. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "null";
}

/** The problem with the URL of a webhook, or `null`. Looks no name up: its addresses are checked for each connection. */
export function webhookUrlProblem(value: string, allow: AllowedHosts): Problem | null {
  // The parser would ignore white space, which the stored text keeps.
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) || !URL.canParse(value)) return notHttps;
  const url = new URL(value);
  if (url.username !== "" || url.password !== "") return hasUserInfo;
  if (value.includes("#")) return hasFragment;
  if (isAllowedHost(url, allow)) return null;
  if (url.protocol !== "https:") return notHttps;
  if (portOf(url) !== httpsPort && portOf(url) <= lastReservedPort) return hasReservedPort;
  // The parser has made one spelling out of many, such as 127.0.0.1 out of `0x7f.1`.
  return isIP(hostOf(url)) !== 0 && !isPublicAddress(hostOf(url)) ? notPublic : null;
}

const notHttps = problem("invalid_format", "Must be an absolute https URL without spaces.");
const hasUserInfo = problem("invalid_format", "Must be a URL without user name and password.");
const hasFragment = problem("invalid_format", "Must be a URL without a fragment.");
const hasReservedPort = problem("invalid_format", "Must be a URL with port 443, or one above 1023.");
const notPublic = problem("invalid_format", "Must be a URL whose host has a public address.");
