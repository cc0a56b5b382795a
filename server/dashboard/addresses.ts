import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";

type Asked = Pick<IncomingMessage, "headers" | "socket">;

/**
 * Names the networks of a client, the smallest first: its IPv4 address, or the first 64, 56 and 48 bits of its IPv6 address.
 * Providers assign networks of these sizes to single customers. Behind proxies, the address is the one that the outermost proxy
 * added to `X-Forwarded-For`. A request with fewer addresses has bypassed a proxy: its client has the address of the socket.
 */
export function networksOf({ socket, headers }: Asked, trustedProxies: number): string[] {
  const added = trustedProxies > 0 ? entriesOf(headers["x-forwarded-for"]).at(-trustedProxies) : undefined;
  const address = plain(added === undefined ? (socket.remoteAddress ?? "") : withoutPort(added));
  if (isIPv4(address)) return [address];
  // A proxy may write any text. All texts that are not an address share one name.
  if (!isIPv6(address)) return ["unknown"];
  const [first = 0, second = 0, third = 0, fourth = 0] = groupsOf(address);
  const networks = [
    [64, fourth],
    [56, fourth & 0xff00],
    [48, 0],
  ] as const;
  return networks.map(
    ([bits, last]) => `${[first, second, third, last].map((n) => n.toString(16)).join(":")}::/${bits}`,
  );
}

/** Whether the browser reached the outermost proxy over HTTPS. The server itself speaks HTTP alone. */
export function isHttps({ headers }: Pick<Asked, "headers">, trustedProxies: number): boolean {
  if (trustedProxies === 0) return false;
  const protocols = entriesOf(headers["x-forwarded-proto"]);
  // Most proxies pass on the single value of the outermost proxy, instead of adding one.
  return (protocols.at(-trustedProxies) ?? protocols[0])?.toLowerCase() === "https";
}

function entriesOf(header: string | string[] | undefined): string[] {
  const text = header?.toString().trim() ?? "";
  return text === "" ? [] : text.split(",").map((entry) => entry.trim());
}

/** The address without the prefix for IPv4 in IPv6 (`::ffff:`), and without the name of the interface. */
function plain(text: string): string {
  return text.replace(/^::ffff:(?=[\d.]+$)/i, "").replace(/%.*$/, "");
}

function withoutPort(text: string): string {
  return text.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // Two colons stand for as many groups of zeros as are missing. An IPv4 address at the end takes the place of two groups.
  const [before = [], after = []] = address
    .replace(/[\d.]+\.\d+$/, "0:0")
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
