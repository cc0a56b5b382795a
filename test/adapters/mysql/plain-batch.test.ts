import assert from "node:assert/strict";
import { recordEvents } from "../../../adapters/mysql/events/index.ts";
import type { Defined } from "../../../adapters/mysql/events/definitions.ts";
import { tablesOf, type Row } from "../../../adapters/mysql/sql/index.ts";
import type { Work } from "../../../adapters/mysql/transactions/index.ts";
import { eventDraft } from "../../../adapters/storage-contract/drafts.ts";
import type { ChecklistRow, EventDraft } from "../../../lib/storage/rows.ts";
import { suite } from "../../support/suite.ts";

const tables = tablesOf("");
const ids = ["11", "22"].map((digits) => Buffer.from(digits.repeat(16), "hex"));
const drafts = ["a", "b", "a"].map((externalId, index) =>
  eventDraft({ contact: { externalId }, eventKey: index === 2 ? "other" : "step" }),
);
const refusal = { refused: { code: "definition_not_found" } } as const;
const checklist = {
  body: { items: [{ key: "stepped", name: "Stepped", when: { kind: "has_done", eventKey: "step" } }] },
} as unknown as ChecklistRow;

interface Case {
  drafts?: readonly EventDraft[];
  defined?: Partial<Defined>;
  work?: Partial<Work>;
  rows?: readonly Row[];
}

/** The names of the statements of a batch, up to the first that finds contacts in the usual way. */
async function statementsOf({ drafts: given = drafts, defined, work, rows }: Case): Promise<string[]> {
  const names: string[] = [];
  const usual = new Error("the usual way");
  const send = (statement: Parameters<Work["rows"]>[0]): void => {
    const { name } = statement(tables);
    names.push(name);
    if (name.startsWith("find")) throw usual;
  };
  const plain: Work = {
    async rows(statement) {
      send(statement);
      return [...(rows ?? ids.map((id, index) => ({ place: index + 1, id })))];
    },
    async write(statement) {
      send(statement);
      return 1;
    },
    waits: false,
    mayBeBehind: false,
    inLine: false,
    duplicateMet: false,
    uncertain: false,
    intended: null,
    intend: () => {},
    uncommitted: [],
    ...work,
  };
  const accepted = { checklists: new Map(), refusals: given.map(() => null) };
  await recordEvents(plain, given, { ...accepted, ...defined }).catch((error: unknown) => {
    if (error !== usual) throw error;
  });
  return names;
}

suite("a batch of events without surprises", (test) => {
  test("is recorded by three statements", async () => {
    assert.deepEqual(await statementsOf({}), ["lockByExternalId", "addOneToSummaries", "insertPlainEvents"]);
    const twice = [...drafts, eventDraft({ contact: { externalId: "a" }, eventKey: "other" })];
    assert.deepEqual((await statementsOf({ drafts: twice }))[1], "addToSummaries");
  });

  const [first, second] = drafts as [EventDraft, EventDraft];
  const surprises: Record<string, Case> = {
    "one event alone": { drafts: [first] },
    "two workspaces": { drafts: [first, { ...second, workspace: "other" }] },
    "a contact named by its email": { drafts: [first, { ...second, contact: { email: "b@example.com" } }] },
    "an Idempotency-Key": { drafts: [first, { ...second, idempotencyHash: "a".repeat(64) }] },
    "a refusal": { defined: { refusals: [null, refusal, null] } },
    "an item that it may complete": { defined: { checklists: new Map([[first.workspace, [checklist]]]) } },
    "a second try": { work: { duplicateMet: true } },
    "an outcome that nobody knows": { work: { uncertain: true } },
    "a hash that somebody is about to record": { work: { uncommitted: [{}] } },
    "a row that it waits for": { work: { inLine: true } },
    "a caller's transaction": { work: { waits: true } },
  };
  for (const [surprise, given] of Object.entries(surprises)) {
    test(`is not one with ${surprise}`, async () => {
      const [name] = await statementsOf(given);
      assert.match(name ?? "", /^find/);
    });
  }

  test("is recorded in the usual way if somebody holds a contact", async () => {
    const names = await statementsOf({ rows: [{ place: 1, id: ids[0] }] });
    assert.deepEqual([names[0], names[1]?.startsWith("find")], ["lockByExternalId", true]);
  });
});
