import { BlockList, isIP, type IPVersion } from "node:net";

/**
 * The whole IANA IPv4 Special-Purpose Address Registry, then multicast and reserved addresses.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const refusedIpv4 = listOf(
  "ipv4",
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
   192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
   203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
);

/** All global unicast addresses. Loopback, local, multicast, NAT64 and mapped IPv4 addresses are outside. */
const globalIpv6 = listOf("ipv6", "2000::/3");

/** Protocol assignments (such as Teredo), documentation, and 6to4, whose addresses lead to IPv4 addresses. */
const refusedIpv6 = listOf("ipv6", "2001::/23 2001:db8::/32 2002::/16 3fff::/20");

/** Whether the text is an address of the public internet. A text that is no address, or has a zone, is not. */
export function isPublicAddress(address: string): boolean {
  // `BlockList` ignores a zone.
  if (address.includes("%")) return false;
  switch (isIP(address)) {
    case 4:
      return !refusedIpv4.check(address, "ipv4");
    case 6:
      return globalIpv6.check(address, "ipv6") && !refusedIpv6.check(address, "ipv6");
    default:
      return false;
  }
}

function listOf(family: IPVersion, subnets: string): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.split(/\s+/)) {
    const [network, prefix] = subnet.split("/") as [string, string];
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
