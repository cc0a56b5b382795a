import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";

/**
 * Names the client of a request: by its IPv4 address, or the first 64 bits of its IPv6 address, which one network has. Behind
 * a proxy on this machine it is the address that the proxy added last to `X-Forwarded-For`.
 */
export function clientOf({ socket, headers }: Pick<IncomingMessage, "headers" | "socket">): string {
  const address = networkOf(socket.remoteAddress ?? "");
  const forwarded = headers["x-forwarded-for"]?.toString().split(",").at(-1)?.trim();
  return isLoopback(address) && forwarded ? networkOf(withoutPort(forwarded)) : address;
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === networkOf("::1");
}

function withoutPort(text: string): string {
  return text.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
}

/** Text that is no address has one name: a proxy may write anything. */
function networkOf(text: string): string {
  const address = text.replace(/^::ffff:(?=[\d.]+$)/i, "").replace(/%.*$/, "");
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return "unknown";
  // Two colons stand for as many groups of zeros as are missing. An IPv4 address at the end takes the place of two groups.
  const [before = [], after = []] = address
    .replace(/[\d.]+\.\d+$/, "0:0")
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const first = [...before, ...zeros, ...after].slice(0, 4);
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::`;
}
