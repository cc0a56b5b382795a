import assert from "node:assert/strict";
import { once } from "node:events";
import type { Storage } from "../../../lib/index.ts";
import { codeOf } from "../../support/raw-connection.ts";
import { serving, type Served } from "../../support/serving.ts";
import { suite } from "../../support/suite.ts";

const target = "/api/v1/contacts/u_1";

/** Keys are looked up only once the gate is open. */
function gated(): { storage: (memory: Storage) => Storage; open(): void; asked(): number } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  let asked = 0;
  return {
    storage: (memory) => ({
      ...memory,
      async findApiKey(hash) {
        asked++;
        await opened;
        return memory.findApiKey(hash);
      },
    }),
    open: () => open(),
    asked: () => asked,
  };
}

/** Resolves once so many look-ups wait. */
async function untilAsked(gate: { asked(): number }, count: number): Promise<void> {
  while (gate.asked() < count) await new Promise(setImmediate);
}

async function assertAnswered({ connect, toText }: Served): Promise<void> {
  const connection = await connect();
  connection.write(toText({ target }));
  assert.equal(codeOf(await connection.next()), "contact_not_found");
}

suite("requests of one connection that wait for their answers", (test) => {
  test("are answered when they are 64, and so are 64 more", async () => {
    const gate = gated();
    await serving(
      async ({ connect, toText }) => {
        const connection = await connect();
        connection.write(toText({ target }).repeat(64));
        await untilAsked(gate, 64);
        gate.open();
        for (let round = 0; round < 2; round++) {
          for (let n = 0; n < 64; n++) assert.equal(codeOf(await connection.next()), "contact_not_found");
          if (round === 0) connection.write(toText({ target }).repeat(64));
        }
      },
      { storage: gate.storage, rateLimit: false },
    );
  });

  test("are cut off with the 65th, of which and of those behind it nothing is looked up; others are answered", async () => {
    const gate = gated();
    await serving(
      async (served) => {
        const connection = await served.connect();
        connection.write(served.toText({ target }).repeat(500));
        assert.equal(await connection.closed(), "");
        assert.equal(gate.asked(), 64);
        gate.open();
        await assertAnswered(served);
      },
      { storage: gate.storage, rateLimit: false },
    );
  });

  test("may be 64 on each of ten connections", async () => {
    const gate = gated();
    await serving(
      async ({ connect, toText }) => {
        const connections = await Promise.all(Array.from({ length: 10 }, () => connect()));
        for (const connection of connections) connection.write(toText({ target }).repeat(64));
        await untilAsked(gate, 640);
        gate.open();
        for (const connection of connections) {
          for (let n = 0; n < 64; n++) assert.equal(codeOf(await connection.next()), "contact_not_found");
        }
      },
      { storage: gate.storage, rateLimit: false },
    );
  });

  test("do not include those that the application has answered itself", () =>
    serving(
      async ({ connect, toText }) => {
        const connection = await connect();
        for (let n = 0; n < 70; n++) {
          connection.write(toText({ target }));
          assert.equal((await connection.next()).body, "mine");
        }
      },
      {
        mount: (listener) => async (request, response) => {
          response.end("mine");
          await once(response, "close");
          await listener(request, response);
        },
        rateLimit: false,
      },
    ));
});
