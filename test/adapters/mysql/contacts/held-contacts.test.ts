import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { recordAll } from "../../../../adapters/storage-contract/calls.ts";
import { assertPending, start } from "../../../../adapters/storage-contract/pending.ts";
import { eventDraft } from "../../../../adapters/storage-contract/drafts.ts";
import { database, databaseSuite } from "../../../support/mysql.ts";
import { holdingOn } from "../../../support/holding.ts";
import { countRows } from "../../../support/proxied.ts";
import { refusalOf } from "../../../support/stopped-tracker.ts";
import { within } from "../../../support/within.ts";

const server = await database();
const holding = holdingOn(server);
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

databaseSuite("contacts that an open transaction holds", server, (test) => {
  test("let nobody wait for more than 5 s, in whichever batches others are written meanwhile", () =>
    holding(async ({ through, inside }) => {
      await recordAll(inside, [eventDraft({ contact: { email: "57@example.com" } })]);
      let waits = true;
      const write = async (): Promise<void> => {
        while (waits) await recordAll(through, [eventDraft({ contact: { email: "1@example.com" } })]);
      };
      const writing = write();
      const held = recordAll(through, [eventDraft({ contact: { email: "57@example.com" } })]);
      const refusal = await within(9_500, "the refusal", refusalOf(held));
      waits = false;
      await writing;
      assert.equal(refusal.code, "storage_unavailable");
    }));

  test("are refused at once by a close, which writes what is queued", () =>
    holding(async (opened) => {
      const { through, inside, proxy } = opened;
      await recordAll(inside, [eventDraft({ contact: { email: "57@example.com" } })]);
      const held = start(recordAll(through, [eventDraft({ contact: { email: "57@example.com" } })]));
      await assertPending(held);
      // From one try to the next it waits for tens of milliseconds: frozen within a try, it would wait for the database.
      const tries = through.stats().retries["held"]!;
      while (through.stats().retries["held"] === tries) await sleep(1);
      proxy.freeze();
      const queued = range(1_000).map(() => recordAll(through, [eventDraft({ contact: { email: "1@example.com" } })]));
      const closed = through.close();
      assert.equal((await refusalOf(within(1_000, "the refusal", held.result))).code, "storage_unavailable");
      proxy.thaw();
      const recorded = (await Promise.all(queued)).flat();
      await closed;
      assert.deepEqual([recorded.length, await countRows(opened, "events")], [1_000, 1_000]);
    }));
});
