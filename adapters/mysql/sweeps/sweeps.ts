/** Finds and evaluates the contacts whose memberships differ. */
import { positionAt, type Watcher } from "../../../lib/decisions/watches.ts";
import { listMemberIds, listNextIds } from "../audiences/index.ts";
import { contactsEvaluatedAtOnce, contactsSweptAtOnce } from "../limits.ts";
import { contactStatements, id, membershipStatements, toContact } from "../sql/index.ts";
import { openOutbox, type Subscriptions } from "../changes/index.ts";
import { writeOne, type OwnRunner, type Work } from "../transactions/index.ts";

/** Compares the members of the next contacts with the memberships, without locks. */
export async function findDifferences(
  work: Work,
  workspace: string,
  watchers: readonly Watcher[],
  after: string | null,
): Promise<{ contactIds: string[]; next: string | null }> {
  const ids = await listNextIds(work, workspace, after, contactsSweptAtOnce);
  // A window without an end also finds contacts that were created since.
  const next = ids.length < contactsSweptAtOnce ? null : positionAt(ids.at(-1)!);
  const differing = new Set<string>();
  for (const { watch, condition } of watchers) {
    const members = new Set(await listMemberIds(work, workspace, condition(), { after, upTo: next }));
    const rows = await work.rows(membershipStatements.listMemberships(watch.id, after, next));
    const stored = new Set(rows.map((row) => id(row.contact_id)));
    for (const contactId of members) if (!stored.has(contactId)) differing.add(contactId);
    for (const contactId of stored) if (!members.has(contactId)) differing.add(contactId);
  }
  return { contactIds: [...differing].sort(), next };
}

/** Evaluates the contacts, but not those that another transaction has locked. */
export async function evaluateContacts(
  runner: OwnRunner,
  workspace: string,
  contactIds: readonly string[],
  now: number,
  subscriptions: Subscriptions | null,
): Promise<void> {
  for (let from = 0; from < contactIds.length; from += contactsEvaluatedAtOnce) {
    const part = contactIds.slice(from, from + contactsEvaluatedAtOnce);
    await writeOne(runner, null, async (work) => {
      const rows = await work.rows(contactStatements.findContactsById(part, "FOR UPDATE SKIP LOCKED"));
      const outbox = await openOutbox(work, [{ workspace }], subscriptions);
      for (const before of rows.map(toContact)) {
        // The contact exists, so `data` is not `null`.
        outbox.edit({ workspace }, { contactId: before.id, names: null, before, apply: (data) => data!, at: now });
      }
      await outbox.flush();
    });
  }
}
