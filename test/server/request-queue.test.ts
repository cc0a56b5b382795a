import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { suite } from "../support/suite.ts";
import { withHttpServer } from "./in-process.ts";

suite("the request queue of the server", (test) => {
  test("begins at most 32 requests in a turn of the event loop while connections come, in order", async () => {
    const range = Array.from({ length: 96 }, (_, n) => n);
    const arrived: string[] = [];
    const begun: string[] = [];
    const inTurns: number[] = [0];
    let onConnection = (): void => {};
    await withHttpServer(
      async ({ connect, toText }) => {
        const connections = await Promise.all(range.map(() => connect()));
        for (const { write } of connections) write(toText({ target: "/" }));
        for (const connection of connections) assert.equal((await connection.next()).status, 200);
        arrived.length = 0;
        let counting = setImmediate(function count() {
          inTurns.push(0);
          counting = setImmediate(count);
        });
        onConnection = () => {
          onConnection = () => {};
          // The server reads all of them in its next turn.
          for (const [n, { write }] of connections.entries()) write(toText({ target: `/api/v1/contacts/${n}` }));
        };
        // libuv accepts one of them in each turn.
        const others = Promise.all(range.map(() => connect()));
        for (const connection of connections) assert.equal((await connection.next()).status, 404);
        clearImmediate(counting);
        await others;
        // Afterwards the server leaves the loop idle.
        while (process.getActiveResourcesInfo().includes("Immediate")) await sleep(1);
      },
      {
        prepare(server) {
          server.on("connection", () => onConnection());
          server.on("request", ({ url }) => arrived.push(url!));
        },
        storage: (memory) => ({
          ...memory,
          findContact(workspace, identifier) {
            begun.push(`/api/v1/contacts/${Object.values(identifier)[0]}`);
            inTurns.push(inTurns.pop()! + 1);
            return memory.findContact(workspace, identifier);
          },
        }),
      },
    );
    assert.deepEqual(begun, arrived);
    assert.equal(begun.length, 96);
    assert.ok(Math.max(...inTurns) <= 32);
  });

  test("holds few requests of a client that pipelines many", async () => {
    let arrived = 0;
    await withHttpServer(
      async ({ connect, toText }) => {
        const connection = await connect();
        connection.write(toText({ target: "/healthz" }).repeat(20_000));
        await connection.closed();
      },
      { prepare: (server) => server.on("request", () => arrived++) },
    );
    // Those of the first chunk, 64 KiB.
    assert.ok(arrived < 2_000, `${arrived} arrived`);
  });
});
