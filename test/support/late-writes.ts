/** Writes that reach the database long after their process has read the mark of their workspace, or by another clock. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { createPool } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { tablesOf, workspaceStatements } from "../../adapters/mysql/sql/index.ts";
import { createTracker, type InTransaction, type Workspace } from "../../lib/index.ts";
import type { Database } from "./database.ts";
import { countRows, proxiedBy, type Proxied } from "./proxied.ts";
import { refusalOf } from "./stopped-tracker.ts";
import type { Test } from "./suite.ts";

type Inside = Pick<Workspace, "contacts" | "events"> | InTransaction;

const emails = ["ada@example.com", "bob@example.com"];
const events = emails.map((externalId) => ({ externalId, eventKey: "step" }));

const newContact = ({ contacts }: Inside): Promise<unknown> => contacts.upsert({ email: "carl@example.com" });
const newEvent = (inside: Inside): Promise<unknown> => inside.events.track(events[0]!);
const newEvents = (inside: Inside): Promise<unknown> => Promise.all(events.map((event) => inside.events.track(event)));

function addContacts({ storage }: Proxied): Promise<unknown> {
  const { contacts } = createTracker({ storage }).workspace("acme");
  return contacts.upsertMany(emails.map((email) => ({ email })));
}

/** Runs calls in `acme` that read its mark by the proxy. */
type Run = (opened: Proxied, calls: (inside: Inside) => Promise<unknown>) => Promise<unknown>;

const byUrl: Run = ({ tracker }, calls) => calls(tracker.workspace("acme"));

const onPool: Run = async ({ proxy }, calls) => {
  const pool = createPool(proxy.url);
  try {
    await calls(createTracker({ storage: mysqlStorage(pool) }).workspace("acme"));
  } finally {
    await pool.end();
  }
};

/** In a transaction whose snapshot is of its beginning. */
const inside: Run = async ({ tracker, pool }, calls) => {
  const connection = await pool.getConnection();
  try {
    await connection.query("START TRANSACTION WITH CONSISTENT SNAPSHOT");
    await calls(tracker.workspace("acme").within(connection));
    await connection.commit();
  } finally {
    connection.destroy();
  }
};

const cases: [what: string, write: (inside: Inside) => Promise<unknown>, run: Run][] = [
  ["a new contact by a URL", newContact, byUrl],
  ["an event by a URL", newEvent, byUrl],
  ["a batch of events by a URL", newEvents, byUrl],
  ["a new contact on a given pool", newContact, onPool],
  ["a new contact in a caller's transaction", newContact, inside],
];

/** The next reading of a mark takes the clock for another. */
function lieBy(hours: number, { proxy: { instead } }: Proxied): void {
  const { sql } = workspaceStatements.readMarks(["acme"], "")(tablesOf("whodid_"));
  const send = sql.replace("AS clock", `+ IF(@lied, 0, (@lied := 1) * ${hours * 3_600_000}) AS clock`);
  instead.push({ of: "whodid:readMarks", send, isPrepared: true });
}

/** The tests of the guard of a write. */
export function lateWriteCases(test: Test, server: Database): void {
  const proxied = proxiedBy(server);

  test("writes that are held on their way while a workspace is deleted leave nothing in it, nor in the next of its name", () =>
    proxied(async (opened) => {
      const { tracker, storage, proxy } = opened;
      await addContacts(opened);
      const writes: Promise<unknown>[] = [];
      for (const write of [newContact, newEvent, newEvents]) {
        proxy.next.push("hold");
        writes.push(write(tracker.workspace("acme")));
        while (proxy.held() < writes.length) await pause(1);
      }
      await Promise.all([createTracker({ storage }).workspaces.delete("acme"), Promise.allSettled(writes)]);
      await addContacts(opened);
      await proxy.release();
      assert.deepEqual([await countRows(opened, "contacts"), await countRows(opened, "events")], [2, 0]);
    }));

  for (const [what, write, run] of cases) {
    for (const hours of [1, -1]) {
      test(`${what} is written although the mark was read on a server whose clock is ${hours} hour away`, () =>
        proxied(async (opened) => {
          await addContacts(opened);
          lieBy(hours, opened);
          await run(opened, write);
          assert.deepEqual(opened.proxy.instead, []);
          if (run === byUrl) assert.deepEqual(opened.through.stats().retries, { 1690: 1 });
        }));
    }

    test(`${what} is refused if the workspace was marked since, by the second reading`, () =>
      proxied(async (opened) => {
        await addContacts(opened);
        lieBy(1, opened);
        await run(opened, async (acme) => {
          await acme.contacts.upsert({ email: emails[0]! });
          await opened.storage.markDeleted("acme", 1);
          const answer = await refusalOf(write(acme));
          assert.equal(answer.code, "workspace_deleted");
        });
      }));
  }
}
