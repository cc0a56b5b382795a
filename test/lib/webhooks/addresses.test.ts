import assert from "node:assert/strict";
import { isPublicAddress } from "../../../lib/webhooks/addresses.ts";
import { suite } from "../../support/suite.ts";

/** The first and the last address of each refused range. */
const ends = `0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.255.255.255
  169.254.0.0 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255
  192.31.196.0 192.31.196.255 192.52.193.0 192.52.193.255 192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255
  192.175.48.0 192.175.48.255 198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255
  224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255 :: 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  2001:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
  2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff 4000::`;

/** The addresses before and after these ranges. */
const neighbours = `1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0
  192.31.195.255 192.31.197.0 192.52.192.255 192.52.194.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0
  192.175.47.255 192.175.49.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
  223.255.255.255 2000:: 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:200:: 2001:db7:ffff::ffff 2001:db9::
  2001:ffff::ffff 2003:: 3ffe:ffff::ffff 3fff:1000:: 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff`;

/** Forms of IPv6 that lead to 127.0.0.1, an address with a zone, and texts that are no address. */
const others = `::1 0:0:0:0:0:0:0:1 ::127.0.0.1 ::ffff:127.0.0.1 ::FFFF:7f00:1 0:0:0:0:0:ffff:127.0.0.1
  ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b:1::7f00:1 2002:7f00:1:: 2001:0:7f00:1:: fe80::5efe:127.0.0.1
  2600::1%lo localhost 010.8.8.8 8.8.8 134744072 [2600::1]`;

suite("addresses of the public internet", (test) => {
  test("are those between the refused ranges, without a zone", () => {
    for (const text of neighbours.split(/\s+/)) assert.equal(isPublicAddress(text), true, text);
    for (const text of `${ends} ${others}`.split(/\s+/)) assert.equal(isPublicAddress(text), false, text);
  });
});
