import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { clientOf } from "../../../server/dashboard/addresses.ts";
import { untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

function nameOf(remoteAddress: string | undefined, forwarded?: string): string {
  const request: Pick<IncomingMessage, "headers" | "socket"> = {
    socket: untyped({ remoteAddress }),
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  };
  return clientOf(request);
}

suite("the name of a client who logs in", (test) => {
  for (const [address, expected] of [
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::"],
    ["2001:db8::1", "2001:db8:0:0::"],
    ["2001:db8:1:2:3::9", "2001:db8:1:2::"],
    ["2001::4:5:6:7:8", "2001:0:0:4::"],
    ["::2:3:4:5:6:7:8", "0:2:3:4::"],
    ["64:ff9b::203.0.113.7", "64:ff9b:0:0::"],
    ["fe80::1%eth0", "fe80:0:0:0::"],
    ["::", "0:0:0:0::"],
    [undefined, "unknown"],
  ] as const) {
    test(`is ${expected} for ${address}`, () => assert.equal(nameOf(address), expected));
  }

  test("is the last address that a proxy on this machine or a private network has written, with its port or without", () => {
    const near = ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "10.1.2.3", "172.31.0.9", "192.168.0.1"];
    for (const proxy of [...near, "::ffff:172.17.0.1", "100.64.0.1", "fd00::1"]) {
      assert.equal(nameOf(proxy, "203.0.113.7"), "203.0.113.7");
      assert.equal(nameOf(proxy, "198.51.100.1, 203.0.113.7:4711"), "203.0.113.7");
      assert.equal(nameOf(proxy, "198.51.100.1,[2001:db8:1:2::9]:4711"), "2001:db8:1:2::");
      assert.equal(nameOf(proxy, "203.0.113.7, a proxy's own word"), "unknown");
    }
    assert.equal(nameOf("127.0.0.1"), "127.0.0.1");
    assert.equal(nameOf("127.0.0.1", ""), "127.0.0.1");
  });

  test("is not what a client from elsewhere writes", () => {
    assert.equal(nameOf("203.0.113.7", "198.51.100.1"), "203.0.113.7");
    assert.equal(nameOf("2001:db8::1", "127.0.0.1"), "2001:db8:0:0::");
    assert.equal(nameOf("172.32.0.1", "198.51.100.1"), "172.32.0.1");
    assert.equal(nameOf(undefined, "198.51.100.1"), "unknown");
  });
});
