import assert from "node:assert/strict";
import { recordAll } from "../../../../adapters/storage-contract/calls.ts";
import { assertPending, start } from "../../../../adapters/storage-contract/pending.ts";
import { eventDraft, keyed } from "../../../../adapters/storage-contract/drafts.ts";
import type { Refused } from "../../../../lib/storage/rows.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";
import { holdingOn, upsert, type Upserted } from "../../../support/holding.ts";
import { countRows } from "../../../support/proxied.ts";
import { within } from "../../../support/within.ts";

const server = await database();
const holding = holdingOn(server);
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

databaseSuite({ name: "names that an open transaction has written", atOnce: 6 }, server, (test) => {
  for (const [end, created] of [
    ["commit", false],
    ["rollback", true],
  ] as const) {
    test(`delay only who wants the email or the externalId, which is ${created ? "free" : "taken"} after a ${end}`, () =>
      holding(async ({ through, inside, connection }) => {
        await upsert(inside, { email: "ada@example.com", fields: { externalId: "u_1" } });
        await upsert(inside, { email: "eve@example.com" });
        const before = through.stats().contacts.batches;
        const bob = start(upsert(through, { email: "bob@example.com", fields: { externalId: "u_1" } }));
        const eve = start(upsert(through, { email: "eve@example.com" }));
        const others = range(50).map((n) =>
          upsert(through, { email: `new${n}@example.com`, fields: { externalId: `v_${n}` } }),
        );
        await within(4_000, "the others", Promise.all(others));
        // Written along with who waits, who cost them nothing.
        assert.equal(through.stats().contacts.batches - before, 1);
        await assertPending(bob, eve);
        await connection[end]();
        assert.equal((await eve.result).created, created);
        const answer = (await bob.result) as Upserted | Refused;
        assert.equal("refused" in answer ? answer.refused.code : answer.created, created || "external_id_taken");
      }));

    test(`delay only who sends the idempotency key, whose event is ${created ? "new" : "the same"} after a ${end}`, () =>
      holding(async (opened) => {
        const { through, inside, connection } = opened;
        const draftOf = (n: number, key: string): ReturnType<typeof eventDraft> =>
          eventDraft({ contact: { email: `${n}@example.com` }, ...keyed(key) });
        const [first] = await recordAll(inside, [draftOf(1, "key")]);
        const before = through.stats().events.batches;
        // Of another contact, so that only the key makes it wait.
        const again = start(recordAll(through, [draftOf(2, "key")]));
        const others = range(50).map((n) => through.recordEvents([draftOf(n + 3, `key ${n}`)]));
        await within(4_000, "the others", Promise.all(others));
        // Written along with who waits, who cost them nothing.
        assert.equal(through.stats().events.batches - before, 1);
        await assertPending(again);
        await connection[end]();
        const [answer] = await again.result;
        assert.equal(answer?.id === first?.id, !created);
        assert.equal(await countRows(opened, "events"), 51);
      }));
  }
});
