/** Definitions of a later version in a storage: whatever evaluates them is refused, writes nothing and announces nothing. */
import assert from "node:assert/strict";
import { accepted, allContacts, countOf, eventsOf, rejected, update } from "../../adapters/storage-contract/calls.ts";
import {
  at,
  audienceDraft,
  checklistDraft,
  contactDraft,
  dayMs,
  definitionDraft,
  eventDraft,
  subscriptionDraft,
  workspace,
} from "../../adapters/storage-contract/drafts.ts";
import {
  beginAll,
  changesOf,
  create,
  emailOf,
  recent,
  stepSilently,
  sweepAll,
  watchMembers,
} from "../../adapters/storage-contract/watching.ts";
import { createTracker, type Workspace } from "../../lib/index.ts";
import type { Storage } from "../../lib/storage/port.ts";
import { untyped } from "./stopped-tracker.ts";
import type { Test } from "./suite.ts";

const ada = emailOf("ada");
const bob = emailOf("bob");
const { email: externalId } = ada;
const done = { kind: "has_done", eventKey: "step" } as const;

/** Rules, and the write that each of them is touched by, beside that of a new contact. */
const invented: Record<string, { rule: object; touchedBy?: "event" | "plan" }> = {
  kind: { rule: { kind: "done_in_a_row", eventKey: "step", times: 3 }, touchedBy: "event" },
  group: { rule: { at_least: 2, of: [done] } },
  "group beside a known rule": { rule: { all: [done, { at_least: 2, of: [done] }] }, touchedBy: "event" },
  operator: { rule: { kind: "field", field: "plan", operator: "matches", value: "pro" }, touchedBy: "plan" },
  period: { rule: { kind: "last_done_within", eventKey: "step", period: { weekdays: [1] } }, touchedBy: "event" },
  "period of a time": {
    rule: { kind: "field", field: "plan", operator: "within", value: { around: { days: 1 } } },
    touchedBy: "plan",
  },
};

/** The first result must be a fault, and the other accepted. */
function assertFirstUnknown([first, other]: readonly (object | null)[], isUnknown = true): void {
  if (isUnknown) assert.equal(Object(Object(first).fault).code, "definition_unknown");
  else accepted(first ?? undefined);
  accepted(other ?? undefined);
}

async function refuseAll(...calls: (() => Promise<unknown>)[]): Promise<void> {
  for (const call of calls) await rejected(call(), "definition_unknown");
}

function methodsOf(storage: Storage): Workspace {
  return createTracker({ storage, onError: () => {} }).workspace(workspace);
}

export function unknownDefinitions(
  test: Test,
  open: (use: (storage: Storage) => Promise<void>) => Promise<void>,
): void {
  for (const [what, { rule, touchedBy }] of Object.entries(invented)) {
    test(`an invented ${what} in a rule is listed, and refused wherever it is evaluated`, () =>
      open(async (storage) => {
        const { audiences, contacts } = methodsOf(storage);
        await create(storage, "ada");
        await stepSilently(storage, "ada");
        accepted(await storage.putDefinition(audienceDraft({ key: "known", rule: recent })));
        accepted(await storage.putDefinition(subscriptionDraft({ key: "beside", on: { audiences: ["known"] } })));
        await watchMembers(storage);
        const drafts = [audienceDraft({ workspace: "other" }), audienceDraft({ rule: untyped(rule), announce: true })];
        for (const draft of drafts) accepted(await storage.putDefinition(draft));
        assert.deepEqual((await audiences.list())[1]!.rule, rule);
        await refuseAll(
          () => audiences.members("doers"),
          () => audiences.count("doers"),
          () => audiences.explain("doers", externalId),
          () => contacts.audiences(externalId),
        );

        const created = [contactDraft(bob), contactDraft({ ...bob, workspace: "other" })];
        assertFirstUnknown(await storage.upsertContacts(created));
        const events = [eventDraft({ contact: ada }), eventDraft({ contact: bob, workspace: "other" })];
        assertFirstUnknown(await storage.recordEvents(events), touchedBy === "event");
        const [{ id }, ...others] = (await allContacts(storage)) as unknown as [{ id: string }];
        const count = touchedBy === "event" ? 1 : 2;
        assert.deepEqual(
          [others.length, await countOf(storage, id), (await eventsOf(storage, externalId))!.length],
          [0, count, count],
        );
        const planned = update(storage, { fields: { plan: "pro" } });
        if (touchedBy === "plan") await rejected(planned, "definition_unknown");
        else accepted(await planned);
        accepted(await update(storage, { fields: { name: "Ada" } }));

        // The contact has left the known audience, which the sweep would announce.
        await rejected(sweepAll(storage, at + 2 * dayMs), "definition_unknown");
        // A first pass that cannot begin holds up no other.
        accepted(await storage.putDefinition(audienceDraft({ rule: untyped({ all: [rule] }) })));
        accepted(await storage.putDefinition(subscriptionDraft({ workspace: "other", on: { audiences: ["doers"] } })));
        await rejected(beginAll(storage), "definition_unknown");
        assert.ok((await storage.listSweeps()).some((sweep) => sweep.workspace === "other"));
        assert.deepEqual([await changesOf(storage), await changesOf(storage, "beside")], [[], []]);
      }));
  }

  test("an invented rule in a checklist is listed, and refused wherever it is evaluated", () =>
    open(async (storage) => {
      const { checklists, audiences } = methodsOf(storage);
      const [{ id }] = (await create(storage, "ada").then(() => allContacts(storage))) as [{ id: string }];
      await storage.upsertContacts([contactDraft({ ...bob, workspace: "other" })]);
      const items = [
        { key: "hand", name: "By hand" },
        { key: "later", name: "Later", when: { kind: "done_in_a_row", eventKey: "step" } },
      ];
      accepted(await storage.putDefinition(checklistDraft({ items: untyped(items) })));
      assert.deepEqual((await checklists.list())[0]!.items, items);
      await refuseAll(
        () => checklists.progress(externalId),
        () => checklists.counts("start"),
        () => checklists.complete(externalId, "start", "hand"),
        () => checklists.dismiss(externalId, "start"),
        () => audiences.count({ kind: "checklist_completed", checklistKey: "start" }),
      );
      assertFirstUnknown(
        await storage.recordEvents([
          eventDraft({ eventKey: "other" }),
          eventDraft({ contact: bob, workspace: "other" }),
        ]),
      );
      const stored = [await storage.findCompletions(workspace, id), await storage.findDismissals(workspace, id)];
      assert.deepEqual([...stored, await storage.findSummaries(workspace, id)], [[], [], []]);
    }));

  test("an invented type of a property is listed, and refuses an event with the property alone", () =>
    open(async (storage) => {
      await create(storage, "ada");
      await storage.upsertContacts([contactDraft({ ...bob, workspace: "other" })]);
      const type = { kind: "event", key: "step", body: { name: null, properties: { tags: "list?" } } };
      const id = audienceDraft().id;
      accepted(await storage.putDefinition(untyped({ workspace, id, createdAt: at, ...type })));
      assert.deepEqual((await methodsOf(storage).eventTypes.list())[0]!.properties, { tags: "list?" });
      const others = eventDraft({ contact: bob, workspace: "other" });
      assertFirstUnknown(await storage.recordEvents([eventDraft({ properties: `{"tags":1}` }), others]));
      assert.deepEqual(await eventsOf(storage, externalId), []);
      assertFirstUnknown(await storage.recordEvents([eventDraft(), others]), false);
    }));

  test("an invented type of an attribute is listed, and refused where a value is given, shown or tested", () =>
    open(async (storage) => {
      const { attributes, audiences, contacts } = methodsOf(storage);
      const draft = definitionDraft({ key: "tags", type: untyped("list") });
      accepted(await storage.putDefinition(draft));
      await create(storage, "ada");
      assert.deepEqual(await attributes.list(), [{ key: "tags", type: "list", name: null }]);
      const isSet = { kind: "attribute", key: "tags", operator: "is_set", value: true } as const;
      const given = { customAttributes: { tags: 1 } };
      await refuseAll(
        () => contacts.update(externalId, given),
        () => contacts.upsert({ ...ada, ...given }),
        () => audiences.count(isSet),
        () => audiences.define({ key: "tagged", name: "Tagged", rule: isSet }),
      );
      assert.deepEqual(await contacts.get(externalId).then((contact) => contact?.customAttributes), {});
      accepted(await update(storage, { attributes: { [draft.id]: 1 } }));
      await refuseAll(
        () => contacts.get(externalId),
        () => contacts.list(),
        () => contacts.export(externalId),
      );
    }));
}
