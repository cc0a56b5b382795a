import type { IncomingMessage } from "node:http";
import { BlockList, isIPv4, isIPv6 } from "node:net";

/** This machine and private networks (RFC 1918, 6598, 4193), where proxies and containers are. */
const near = new BlockList();
for (const [network, bits] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
] as const)
  near.addSubnet(network, bits);
near.addAddress("::1", "ipv6");
near.addSubnet("fc00::", 7, "ipv6");

/**
 * Names the client of a request: by its IPv4 address, or the first 64 bits of its IPv6 address, which one network has. If it
 * comes from this machine or a private network it may come from a proxy: then it is the address that was added last to
 * `X-Forwarded-For`.
 */
export function clientOf({ socket, headers }: Pick<IncomingMessage, "headers" | "socket">): string {
  const address = plain(socket.remoteAddress ?? "");
  const forwarded = headers["x-forwarded-for"]?.toString().split(",").at(-1)?.trim();
  const isNear = near.check(address, isIPv6(address) ? "ipv6" : "ipv4");
  return networkOf(isNear && forwarded ? withoutPort(forwarded) : address);
}

/** Without what a socket says of IPv4 in IPv6, and of the interface. */
function plain(text: string): string {
  return text.replace(/^::ffff:(?=[\d.]+$)/i, "").replace(/%.*$/, "");
}

function withoutPort(text: string): string {
  return text.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
}

/** Text that is no address has one name: a proxy may write anything. */
function networkOf(text: string): string {
  const address = plain(text);
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
