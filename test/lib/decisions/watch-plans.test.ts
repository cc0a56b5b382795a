import assert from "node:assert/strict";
import { planWatches, type WatchedDefinitions } from "../../../lib/decisions/watch-plans.ts";
import { createWatcher } from "../../../lib/decisions/watches.ts";
import {
  at,
  audienceDraft,
  checklistDraft,
  definitionDraft,
  subscriptionDraft,
} from "../../../adapters/storage-contract/drafts.ts";
import type { Rule } from "../../../lib/model/types.ts";
import type { WatchRow } from "../../../lib/storage/watches.ts";
import { suite } from "../../support/suite.ts";

const has = { kind: "has_done", eventKey: "step" } as const;
const rule: Rule = {
  any: [
    has,
    { kind: "attribute", key: "seats", operator: "is_set", value: true },
    { kind: "checklist_completed", checklistKey: "start" },
  ],
};
const seats = definitionDraft();
const start = checklistDraft({ items: [{ key: "a", name: "A", when: { kind: "has_done", eventKey: "open" } }] });
const definitions: WatchedDefinitions = {
  subscriptions: [subscriptionDraft({ on: { audiences: ["doers"] } })],
  audiences: [audienceDraft({ rule }), audienceDraft({ key: "others" })],
  attributes: [seats, definitionDraft({ key: "unnamed" })],
  checklists: [start],
};
const written = { workspace: "acme", at, announced: null };

function plannedWatch(): WatchRow {
  const [watch] = planWatches([], definitions, written).added;
  assert.ok(watch);
  return watch;
}

const none = { added: [], changed: [], ended: [] };

suite("the plans of watches", (test) => {
  test("a watch begins with the parts of definitions that decide, and stays while they are the same", () => {
    const watch = plannedWatch();
    assert.deepEqual(watch.watched.attributes, [{ key: "seats", id: seats.id }]);
    assert.deepEqual(watch.watched.checklists, [
      { key: "start", id: start.id, items: [{ key: "a", when: { kind: "has_done", eventKey: "open" } }] },
    ]);
    assert.deepEqual([watch.clock, watch.position, watch.readyAt], [at, null, null]);
    const renamed = { ...start, body: { ...start.body, name: "Renamed" } };
    assert.deepEqual(planWatches([watch], { ...definitions, checklists: [renamed] }, written), none);
  });

  test("a watch has the type of an attribute that 0.2.0 does not know", () => {
    const dated = { ...definitions, attributes: [{ ...seats, body: { type: "date", name: null } } as const] };
    const [watch] = planWatches([], dated, written).added;
    assert.deepEqual(watch!.watched.attributes, [{ key: "seats", id: seats.id, body: { type: "date" } }]);
    const unknown = [{ ...watch!.watched.attributes[0]!, body: { type: "list" as "date" } }];
    const { condition } = createWatcher({ ...watch!, watched: { ...watch!.watched, attributes: unknown } });
    assert.throws(condition, { code: "definition_unknown" });
  });

  test("a second watch that subscriptions share, which 0.2.0 can begin, ends", () => {
    const [first, second] = [plannedWatch(), plannedWatch()];
    assert.deepEqual(planWatches([first, second], definitions, written), { ...none, ended: [second] });
  });

  test("a changed rule begins a new watch, unless it is announced", () => {
    const watch = { ...plannedWatch(), readyAt: at };
    const changed = { ...definitions, audiences: [audienceDraft({ rule: has })] };
    const { added, ended } = planWatches([watch], changed, written);
    assert.deepEqual([ended, added.map(({ id }) => id === watch.id)], [[watch], [false]]);
    assert.deepEqual(planWatches([watch], changed, { ...written, announced: "doers" }), {
      ...none,
      changed: [{ ...watch, watched: { rule: has, attributes: [], checklists: [] } }],
    });
  });
});
