import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { isHttps, networksOf } from "../../../server/dashboard/addresses.ts";
import { untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

/** The smallest network that the client of a request is in. */
function nameOf(remoteAddress: string | undefined, forwarded?: string, trustedProxies = 0): string | undefined {
  const headers: IncomingHttpHeaders = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return networksOf({ socket: untyped({ remoteAddress }), headers }, trustedProxies)[0];
}

suite("the name of a client who logs in", (test) => {
  for (const [address, expected] of [
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8:1:2:3::9", "2001:db8:1:2::/64"],
    ["2001::4:5:6:7:8", "2001:0:0:4::/64"],
    ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
    ["64:ff9b::203.0.113.7", "64:ff9b:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    [undefined, "unknown"],
  ] as const) {
    test(`is ${expected} for ${address}`, () => assert.equal(nameOf(address), expected));
  }

  test("is followed by the larger networks that an IPv6 address is in", () => {
    const networks = (remoteAddress: string): string[] =>
      networksOf({ socket: untyped({ remoteAddress }), headers: {} }, 0);
    assert.deepEqual(networks("2001:db8:1:abcd::1"), [
      "2001:db8:1:abcd::/64",
      "2001:db8:1:ab00::/56",
      "2001:db8:1:0::/48",
    ]);
    assert.deepEqual(networks("203.0.113.7"), ["203.0.113.7"]);
  });

  test("is not what X-Forwarded-For says where no proxy is trusted, wherever the request comes from", () => {
    for (const address of ["203.0.113.7", "127.0.0.1", "10.1.2.3", "172.17.0.1"])
      assert.equal(nameOf(address, "198.51.100.1"), address);
    assert.equal(nameOf("fd00::1", "198.51.100.1"), "fd00:0:0:0::/64");
  });

  test("is the address that the outermost of the trusted proxies has added, with its port or without", () => {
    const [forged, client, proxy] = ["198.51.100.1", "203.0.113.7", "192.0.2.1"];
    assert.equal(nameOf("10.0.0.1", `${forged}, ${client}`, 1), client);
    assert.equal(nameOf("10.0.0.1", `${forged},${client}, ${proxy}`, 2), client);
    assert.equal(nameOf("192.0.2.9", `${client}:4711`, 1), client);
    assert.equal(nameOf("10.0.0.1", `${forged},[2001:db8:1:2::9]:4711`, 1), "2001:db8:1:2::/64");
    assert.equal(nameOf("10.0.0.1", `${client}, a proxy's own word`, 1), "unknown");
  });

  test("is that of the connection where a request has not come through all of the proxies", () => {
    assert.equal(nameOf("10.0.0.1", "198.51.100.1", 2), "10.0.0.1");
    assert.equal(nameOf("10.0.0.1", "", 1), "10.0.0.1");
    assert.equal(nameOf("10.0.0.1", undefined, 1), "10.0.0.1");
  });
});

suite("the protocol of a browser", (test) => {
  for (const [protocols, trustedProxies, expected] of [
    ["https", 0, false],
    ["https", 1, true],
    ["HTTPS", 1, true],
    ["http", 1, false],
    ["https, http", 1, false],
    ["https, http", 2, true],
    ["https", 2, true],
    ["httpsx", 1, false],
    ["", 1, false],
  ] as const) {
    test(`is ${expected ? "HTTPS" : "HTTP"} where ${trustedProxies} proxies say "${protocols}"`, () =>
      assert.equal(isHttps({ headers: { "x-forwarded-proto": protocols } }, trustedProxies), expected));
  }

  test("is HTTP where no proxy says anything", () => assert.equal(isHttps({ headers: {} }, 1), false));
});
