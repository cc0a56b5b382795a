import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { isPublicAddress } from "../../../lib/webhooks/addresses.ts";
import { blackHole, ended, failureOf, posting, receiving, withVariables } from "../../support/posting.ts";
import { suite } from "../../support/suite.ts";

/** Hosts with a refused address, if 127.0.0.1 counts as public and if it does not. */
const mixed = "127.0.0.2, 127.0.0.1 127.0.0.2, 127.0.0.2 127.0.0.1, 127.0.0.1 127.0.0.1 127.0.0.2, 127.0.0.1 ::1";
const local = "127.0.0.1, ::1, ::ffff:127.0.0.1, 64:ff9b::7f00:1, fe80::1%lo, 127.1, localhost";

suite("connections to receivers", (test) => {
  test("are refused if one address of the host is, and none is opened", async () => {
    for (const seams of [{ hosts: mixed }, { hosts: local, isAllowedAddress: isPublicAddress }]) {
      for (const host of seams.hosts.split(", ")) {
        await posting({ ...seams, resolve: async () => host.split(" ") }, async ({ post, port, connections }) => {
          assert.equal(await failureOf(post()), `https://partner.test:${port}: refused address`, host);
          assert.equal(connections.length, 0);
        });
      }
    }
  });

  test("are checked again when the time of a kept one is over", async () => {
    for (const [keptMs, second, lookUps] of [
      [60_000, /^none$/, 1],
      [0, /refused address$/, 2],
    ] as const) {
      let address = "127.0.0.1";
      await posting({ keptMs, resolve: async () => [address] }, async ({ post, connections, lookedUp }) => {
        await post();
        address = "127.0.0.2";
        assert.match(await failureOf(post()), second);
        assert.deepEqual([connections.length, lookedUp.length], [1, lookUps]);
      });
    }
  });

  test("end with their time if they are idle, however often they were used", () =>
    posting({ keptMs: 500 }, async ({ post, connections }) => {
      for (let n = 0; connections.length < 2 && n < 10_000; n++) await post();
      assert.equal(connections.length, 2);
      await ended(connections[1]!);
    }));

  test("are opened once more, and not kept, if a kept one is closed before any byte of an answer", async () => {
    for (const [bytes, closed, outcomes, ...counts] of [
      ["", "25", [/^none$/, /^none$/, /^none$/, /refused address$/], 5, 3],
      ["", "23", [/^none$/, /failed \(ECONNRESET\)$/], 3, 2],
      ["H", "2", [/^none$/, /failed \(\w+\)$/], 2, 1],
    ] as const) {
      let address = "127.0.0.1";
      let count = 0;
      const answer: RequestListener = ({ socket }, response) => {
        if (closed.includes(String(++count))) socket.end(bytes, () => socket.destroy());
        else response.end();
      };
      await posting({ answer, resolve: async () => [address] }, async (receiver) => {
        for (const outcome of outcomes) {
          if (outcome === outcomes[3]) address = "127.0.0.2";
          assert.match(await failureOf(receiver.post()), outcome);
        }
        assert.deepEqual([receiver.requests(), receiver.connections.length], counts);
      });
    }
  });

  test("go to another address if one does not answer, of two of a family", () =>
    blackHole("127.0.0.3", (port) =>
      receiving({ port }, async ({ requests }) => {
        for (const [addresses, outcome] of [
          ["::1 127.0.0.4 127.0.0.1", /^none$/],
          ["127.0.0.3 127.0.0.1", /^none$/],
          ["127.0.0.4 127.0.0.5 127.0.0.1", /failed \(ECONNREFUSED\)$/],
          ["", /look-up failed$/],
        ] as const) {
          const resolve = async (): Promise<string[]> => addresses.split(" ").filter(Boolean);
          await posting({ resolve, isAllowedAddress: () => true }, async ({ post }) =>
            assert.match(await failureOf(post(`partner.test:${port}`)), outcome),
          );
        }
        assert.equal(requests(), 2);
      }),
    ));

  test("need a valid certificate, whatever NODE_TLS_REJECT_UNAUTHORIZED says", async () => {
    for (const variables of [{}, { NODE_TLS_REJECT_UNAUTHORIZED: "0" }] as Record<string, string>[]) {
      for (const [host, code, seams] of [
        ["other.test", "ERR_TLS_CERT_ALTNAME_INVALID", {}],
        ["partner.test", "DEPTH_ZERO_SELF_SIGNED_CERT", { ca: "" }],
      ] as const) {
        await posting(seams, ({ post, requests }) =>
          withVariables(variables, async () => {
            assert.ok((await failureOf(post(host))).endsWith(`: certificate refused (${code})`), code);
            assert.equal(requests(), 0);
          }),
        );
      }
    }
  });

  test("go through no proxy", () =>
    receiving({}, async (proxy) => {
      const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
      const variables = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${proxy.port}`]));
      for (const scheme of ["http", "https"] as const) {
        await posting({ scheme }, ({ post }) =>
          withVariables({ ...variables, NODE_USE_ENV_PROXY: "1" }, async () => void (await post())),
        );
      }
      assert.equal(proxy.connections.length, 0);
    }));

  test("wait for two look-ups at a time, of which posts to one host share one", async () => {
    const ends: (() => void)[] = [];
    const resolve = (): Promise<string[]> => new Promise((end) => ends.push(() => end([])));
    await posting({ resolve }, async ({ post, lookedUp }) => {
      const posts = ["a.test", "a.test", "b.test", "c.test"].map((host) => failureOf(post(host)));
      await new Promise(setImmediate);
      assert.deepEqual(lookedUp, ["a.test", "b.test"]);
      for (const end of ends) end();
      await posts[2];
      await new Promise(setImmediate);
      assert.deepEqual(lookedUp, ["a.test", "b.test", "c.test"]);
      ends[2]!();
      await Promise.all(posts);
    });
  });

  test("end with the poster if they are idle, and else after their answer", async () => {
    const held: (() => void)[] = [];
    const answer: RequestListener = (_request, response) => void held.push(() => response.end());
    await posting({ answer }, async ({ poster, post, connections }) => {
      const posts = [post(), post()];
      while (held.length < 2) await new Promise(setImmediate);
      held[0]!();
      await Promise.race(posts);
      poster.close();
      await Promise.race(connections.map(ended));
      held[1]!();
      await Promise.all([...posts, ...connections.map(ended)]);
    });
  });
});
