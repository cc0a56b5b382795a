import assert from "node:assert/strict";
import type { Answer } from "../../../lib/http/answer.ts";
import { TrackerError } from "../../../lib/index.ts";
import { createNewContacts } from "../../../server/visitors/new-contacts.ts";
import { untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

interface Opened {
  now: number;
  /** The calls of the host's `create`. */
  created: number;
  counted: number;
  reported: number;
  visit(externalId: string): Promise<Answer>;
}

/** Visitors who stay unknown, whose contacts are added by `addContact`. */
function opened(addContact: () => Promise<void>): Opened {
  const unknown: Answer = { status: 404, headers: [], body: "", thrown: new TrackerError("contact_not_found") };
  const withContact = createNewContacts({
    calls: { askOwn: async () => unknown, report: async () => void state.reported++ },
    addContact,
    now: () => state.now,
  });
  const state: Opened = {
    now: 0,
    created: 0,
    counted: 0,
    reported: 0,
    visit: (externalId) =>
      withContact(
        {
          call: untyped({}),
          workspace: "default",
          externalId,
          tag: externalId,
          tagStart: "",
          create: () => ({ email: `${++state.created}@example.com` }),
        },
        async () => unknown,
        () => state.counted++,
      ),
  };
  return state;
}

const refuse = (): Promise<void> => Promise.reject(new TrackerError("email_taken"));

suite("contacts of new visitors", (test) => {
  test("are created one at a time for each visitor", async () => {
    const ends: (() => void)[] = [];
    const visitors = opened(() => new Promise((resolve) => ends.push(resolve)));
    const visits = ["eve", "eve", "fay"].map(visitors.visit);
    await new Promise(setImmediate);
    assert.equal(visitors.created, 2);
    for (const end of ends) end();
    await Promise.all(visits);
    assert.deepEqual([visitors.created, visitors.counted], [2, 2]);
  });

  test("are not created for a minute after a refusal, which is reported once", async () => {
    const visitors = opened(refuse);
    const figures = (): number[] => [visitors.created, visitors.counted, visitors.reported];
    await Promise.all([visitors.visit("eve"), visitors.visit("eve")]);
    visitors.now = 59_999;
    await visitors.visit("eve");
    assert.deepEqual(figures(), [1, 1, 1]);
    visitors.now = 60_000;
    await visitors.visit("eve");
    assert.deepEqual(figures(), [2, 2, 2]);
  });

  test("are created by the next request after an error that is no refusal", async () => {
    for (const [error, reported] of [
      [new Error("no"), 2],
      [new TrackerError("storage_unavailable"), 0],
    ] as const) {
      const visitors = opened(() => Promise.reject(error));
      for (let n = 0; n < 2; n++) await visitors.visit("eve").catch(() => {});
      assert.deepEqual([visitors.created, visitors.reported], [2, reported]);
    }
  });

  test("are refused to 10,000 visitors, and then the first refusal is forgotten", async () => {
    const visitors = opened(refuse);
    for (let n = 0; n <= 10_000; n++) await visitors.visit(`v${n}`);
    await visitors.visit("v1");
    assert.equal(visitors.created, 10_001);
    await visitors.visit("v0");
    assert.equal(visitors.created, 10_002);
  });
});
