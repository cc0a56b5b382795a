import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { answerInTurns } from "../../lib/http/answer.ts";
import { createTracker } from "../../lib/index.ts";
import { inTurns } from "../support/in-turns.ts";
import { suite } from "../support/suite.ts";

const textsOf = (count: number, length: number): string[] => Array.from({ length: count }, () => "é".repeat(length));

suite("a large answer", (test) => {
  test("is made in turns of at most 256 kB and an item, and is the same JSON", async () => {
    for (const json of [
      { success: true, items: textsOf(100, 30_000), nextCursor: null, kept: undefined },
      { success: true, export: { contact: { id: 1 }, events: textsOf(50, 60_000), empty: {}, none: [] } },
    ]) {
      const { value, turns } = await inTurns(answerInTurns(200, json, []));
      assert.equal(Buffer.from(value.body).toString(), JSON.stringify(json));
      assert.deepEqual(value.headers.slice(-2), ["Content-Length", String(Buffer.byteLength(JSON.stringify(json)))]);
      assert.ok(turns >= 9, `${turns}`);
    }
  });

  test("waits for nothing if it has less", () => {
    for (const json of [{ items: [] }, { items: textsOf(10, 20_000), more: false }, { contact: { name: "Ada" } }]) {
      const answer = answerInTurns(200, json, []);
      assert.ok(!(answer instanceof Promise));
      assert.equal(answer.body, JSON.stringify(json));
    }
  });

  test("of a batch waits for 3 s before other items begin, however many of them wait", async () => {
    const storage = memoryStorage();
    let begun = 0;
    let waitedInVain = 0;
    const tracker = createTracker({
      storage: {
        ...storage,
        async upsertContacts(drafts) {
          begun += drafts.length;
          for (let tries = 0; begun < 200 && tries < 50; tries++) await sleep(100);
          if (begun < 200) waitedInVain++;
          return storage.upsertContacts(drafts);
        },
      },
    });
    const { key } = await tracker.apiKeys.create({ name: "test" });
    const items = Array.from({ length: 200 }, (_, n) => ({ email: `${n}@example.com` }));
    const answer = await tracker.handle(
      new Request("http://localhost/api/v1/contacts/batch", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ items }),
      }),
    );
    const answers = ((await answer.json()) as { items: { body: { contact: { email: string } } }[] }).items;
    assert.equal(waitedInVain, 0);
    assert.deepEqual(
      answers.map(({ body }) => ({ email: body.contact.email })),
      items,
    );
  });

  test("is no export over 32 MiB, which the methods return as a whole", async () => {
    const tracker = createTracker({ storage: memoryStorage() });
    await tracker.contacts.upsert({ email: "ada@example.com" });
    const properties = Object.fromEntries(textsOf(256, 1_000).map((text, n) => [`p${n}`, text]));
    const items = Array.from({ length: 64 }, () => ({ externalId: "ada@example.com", eventKey: "step", properties }));
    await tracker.events.trackMany(items);
    const { key } = await tracker.apiKeys.create({ name: "test" });
    const ask = async (): Promise<Response> =>
      tracker.handle(
        new Request("http://localhost/api/v1/contacts/ada@example.com/export", {
          headers: { authorization: `Bearer ${key}` },
        }),
      );
    const { value: whole, turns } = await inTurns(tracker.contacts.export("ada@example.com"));
    assert.deepEqual([whole.events.length, turns >= 64], [64, true]);
    assert.equal((await ask()).status, 200);
    await tracker.events.trackMany(items.slice(0, 2));
    const refused = await ask();
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    assert.deepEqual([refused.status, error.code], [422, "export_too_large"]);
    assert.ok(error.message.includes("whodid export contact"));
    assert.equal((await tracker.contacts.export("ada@example.com")).events.length, 66);
  });
});
