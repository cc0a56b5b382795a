import assert from "node:assert/strict";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTracker, type Tracker } from "../../../../lib/index.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";
import { countRows, proxiedBy } from "../../../support/proxied.ts";
import { within } from "../../../support/within.ts";

const started = await database();
const trackProcess = join(import.meta.dirname, `../../../support/track-process${extname(import.meta.filename)}`);
const proxied = proxiedBy(started);
const onMysql = mysqlBy(started);

const ada = { email: "ada@example.com" };
const stepOfAda = { externalId: "ada@example.com", eventKey: "step" };

databaseSuite({ name: "exactly once", atOnce: 3 }, started, (test) => {
  for (const fate of ["lose answer", "lose commit"] as const) {
    const when = fate === "lose answer" ? "is cut after a COMMIT" : "is cut before a COMMIT arrives";

    test(`a contact is created once when the connection ${when}`, () =>
      proxied(async (opened) => {
        opened.proxy.next.push(fate);
        const { created, contact } = await opened.tracker.contacts.upsert({ ...ada, name: "Ada" });
        assert.deepEqual([created, contact.name, opened.proxy.next], [true, "Ada", []]);
        assert.equal(await countRows(opened, "contacts"), 1);
      }));

    test(`an upsert of an existing contact answers that it is not new when the connection ${when}`, () =>
      proxied(async ({ tracker, proxy }) => {
        await tracker.contacts.upsert(ada);
        proxy.next.push(fate);
        const { created, contact } = await tracker.contacts.upsert({ ...ada, name: "Ada" });
        assert.deepEqual([created, contact.name, proxy.next], [false, "Ada", []]);
      }));

    test(`a contact that loses the name it was named by is updated when the connection ${when}`, () =>
      proxied(async ({ tracker, proxy }) => {
        await tracker.contacts.upsert(ada);
        proxy.next.push(fate);
        const contact = await tracker.contacts.update("ada@example.com", { email: "ada@new.example" });
        assert.deepEqual([contact.email, proxy.next], ["ada@new.example", []]);
        assert.equal(await tracker.contacts.get("ada@example.com"), null);
      }));

    test(`an event is recorded and counted once when the connection ${when}`, () =>
      proxied(async (opened) => {
        const { contact } = await opened.tracker.contacts.upsert(ada);
        opened.proxy.next.push(fate);
        const { replayed } = await opened.tracker.events.track(stepOfAda);
        assert.deepEqual([replayed, opened.proxy.next], [false, []]);
        const [summary] = await opened.storage.findSummaries("default", contact.id);
        assert.equal(summary?.count, 1);
        assert.equal(await countRows(opened, "events"), 1);
      }));

    test(`an event is recorded once, and its contact created, when the connection ${when} of either`, () =>
      proxied(async (opened) => {
        opened.proxy.next.push(fate, fate);
        const first = { contact: { ...ada, name: "Ada" }, eventKey: "step" };
        const { event, replayed } = await opened.tracker.events.track(first, { idempotencyKey: "k" });
        assert.deepEqual([replayed, opened.proxy.next], [false, []]);
        const again = await opened.tracker.events.track(first, { idempotencyKey: "k" });
        assert.deepEqual([again.event.id, again.replayed], [event.id, true]);
        assert.deepEqual([await countRows(opened, "contacts"), await countRows(opened, "events")], [1, 1]);
      }));

    test(`a deletion answers with its receipt when the connection ${when}`, () =>
      proxied(async (opened) => {
        const { contact } = await opened.tracker.contacts.upsert(ada);
        for (let n = 0; n < 3; n++) await opened.tracker.events.track(stepOfAda);
        opened.proxy.next.push(fate);
        const receipt = await opened.tracker.contacts.delete("ada@example.com");
        assert.deepEqual([receipt, opened.proxy.next], [{ contactId: contact.id, events: 3 }, []]);
        assert.equal(await countRows(opened, "contacts"), 0);
      }));

    test(`each step of a deletion is counted once when the connection ${when} of any of them`, () =>
      proxied(async (opened) => {
        const { contact } = await opened.tracker.contacts.upsert(ada);
        await fillEvents(opened, contact.id, 2_500);
        opened.proxy.next.push(fate, fate, fate);
        const receipt = await opened.tracker.contacts.delete("ada@example.com");
        assert.deepEqual([receipt, opened.proxy.next], [{ contactId: contact.id, events: 2_500 }, []]);
        assert.equal(await countRows(opened, "events"), 0);
      }));

    test(`definitions and keys are made and deleted once when the connection ${when}`, () =>
      proxied(async ({ tracker, proxy }) => {
        proxy.next.push(fate);
        await tracker.attributes.define({ key: "seats", type: "number" });
        proxy.next.push(fate);
        await tracker.attributes.delete("seats");
        proxy.next.push(fate);
        const { apiKey } = await tracker.apiKeys.create({ name: "backend" });
        assert.deepEqual(await tracker.apiKeys.list(), [apiKey]);
        proxy.next.push(fate);
        await tracker.apiKeys.revoke(apiKey.id);
        assert.deepEqual([await tracker.attributes.list(), await tracker.apiKeys.list(), proxy.next], [[], [], []]);
      }));
  }

  test("no write whose contact is gone after an unknown COMMIT is refused, because it may have been written", () =>
    proxied(async ({ tracker, storage, proxy, ...opened }) => {
      const direct = createTracker({ storage });
      for (const name of ["ada", "bob", "carol"]) await direct.contacts.upsert({ email: `${name}@example.com` });
      await direct.checklists.define({ key: "start", name: "Start", items: [{ key: "hand", name: "By hand" }] });
      const calls = [
        () => tracker.events.track(stepOfAda),
        () => tracker.contacts.update("bob@example.com", { plan: "pro" }),
        () => tracker.checklists.complete("carol@example.com", "start", "hand"),
        () => tracker.contacts.upsert({ email: "dan@example.com", externalId: "u_4" }),
      ];
      proxy.next.push(...calls.map(() => "keep answer" as const));
      const answers = Promise.allSettled(calls.map((call) => call()));
      const committed = async (): Promise<number> => {
        const rows = ["contacts", "events", "completions"].map((table) => countRows({ storage, ...opened }, table));
        const isUpdated = (await direct.contacts.get("bob@example.com"))?.plan === "pro";
        return (await Promise.all(rows)).reduce((sum, count) => sum + count, Number(isUpdated));
      };
      while ((await committed()) < 7) await sleep(20);
      for (const name of ["ada", "bob", "carol", "dan"]) await direct.contacts.delete(`${name}@example.com`);
      await direct.contacts.upsert({ email: "erin@example.com", externalId: "u_4" });
      for (const answer of await answers) {
        assert.ok(answer.status === "rejected");
        const { code, cause } = answer.reason as { code: string; cause?: { code: string } };
        assert.deepEqual([code, cause?.code], ["storage_unavailable", "unknown_outcome"]);
      }
    }));

  test("a COMMIT that is not answered within 5 s is settled on another connection", () =>
    proxied(async (opened) => {
      opened.proxy.next.push("freeze");
      const { created } = await within(20_000, "an answer", opened.tracker.contacts.upsert(ada));
      assert.equal(created, true);
      assert.equal(await countRows(opened, "contacts"), 1);
    }));

  test("of events from three processes at once exactly one completes each item, and its replay announces it again", () =>
    inProcesses(3, async (processes, { tracker, ...opened }) => {
      const items = Array.from({ length: 30 }, (_, index) => ({
        key: `more_than_${index}`,
        name: `More than ${index}`,
        when: { kind: "count_greater_than", eventKey: "step", count: index } as const,
      }));
      await tracker.checklists.define({ key: "steps", name: "Steps", items });
      const run = async (): Promise<Answer[]> =>
        (await Promise.all(processes.map((process, index) => trackInTurn(process, 12, `p${index}`)))).flat();
      const first = await run();
      const announced = first.flatMap(({ completedChecklistItems }) => completedChecklistItems);
      assert.deepEqual(announced.map(({ itemKey }) => itemKey).sort(), items.map(({ key }) => key).sort());
      assert.deepEqual(
        await run(),
        first.map((answer) => ({ ...answer, replayed: true })),
      );
      assert.equal(await countRows(opened, "events"), 36);
    }));

  test("the same Idempotency-Key from two processes at one moment is one event, one count and two equal answers", () =>
    inProcesses(2, async (processes, { tracker, ...opened }) => {
      const { id } = (await tracker.contacts.get("ada@example.com"))!;
      for (let round = 1; round <= 20; round++) {
        const answers = processes.map((process) => once(process, "message"));
        for (const process of processes) process.send({ ...stepOfAda, idempotencyKey: `k${round}` });
        const [[one], [two]] = (await Promise.all(answers)) as [[Answer], [Answer]];
        assert.deepEqual(one.event, two.event);
        assert.notEqual(one.replayed, two.replayed);
        const [summary] = await opened.storage.findSummaries("default", id);
        assert.equal(summary?.count, round);
      }
      assert.equal(await countRows(opened, "events"), 20);
    }));
});

/** Runs with Ada, and so many processes that are ready to track events. */
function inProcesses(
  count: number,
  run: (processes: ChildProcess[], opened: OpenedMysql & { tracker: Tracker }) => Promise<void>,
): Promise<void> {
  return onMysql(async (opened) => {
    const processes = Array.from({ length: count }, () => fork(trackProcess, [opened.url]));
    try {
      const tracker = createTracker({ storage: opened.storage });
      await tracker.contacts.upsert(ada);
      await Promise.all(processes.map(ready));
      await run(processes, { ...opened, tracker });
    } finally {
      for (const process of processes) process.kill();
    }
  });
}

interface Answer {
  event: object;
  replayed: boolean;
  completedChecklistItems: { itemKey: string }[];
}

/** Tracks the event of Ada as often, each process one after another, and resolves with what was answered. */
async function trackInTurn(process: ChildProcess, times: number, name: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  const ended = once(process, "exit");
  for (let time = 0; time < times; time++) {
    const answer = Promise.race([once(process, "message"), ended]);
    process.send({ ...stepOfAda, idempotencyKey: `${name}-${time}` });
    const [told] = (await answer) as [Answer | number | null];
    if (typeof told !== "object" || told === null) throw new Error("a process ended");
    answers.push(told);
  }
  return answers;
}

async function ready(process: ChildProcess): Promise<void> {
  const answer = once(process, "message");
  process.send("ready?");
  await answer;
}

/** Straight into the table: what the adapter records, faster. */
async function fillEvents(opened: OpenedMysql, contactId: string, events: number): Promise<void> {
  await opened.pool.query(
    `INSERT INTO whodid_events (id, workspace, contact_id, event_key, properties, created_at)
     SELECT UNHEX(LPAD(HEX(seq), 32, '0')), 'default', UNHEX(?), 'step', '{}', seq DIV 10
     FROM JSON_TABLE(?, '$[*]' COLUMNS (seq INT PATH '$')) numbers`,
    [contactId.replaceAll("-", ""), JSON.stringify(Array.from({ length: events }, (_, index) => index + 1))],
  );
}
