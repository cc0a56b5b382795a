import { changesOfCompletion } from "../../../lib/decisions/changes.ts";
import { assertNotDeleted } from "../../../lib/storage/refusals.ts";
import { namesOfCompletion } from "../../../lib/decisions/watches.ts";
import type { ChecklistRow, Completion, CompletionDraft, DismissalDraft } from "../../../lib/storage/rows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { errors } from "../connection/index.ts";
import { lockContacts, namesOnly, type ContactNames } from "../contacts/index.ts";
import { listDefinitions, type ListDefinitions } from "../definitions/index.ts";
import {
  isDeletedWorkspace,
  assertCaughtUp,
  rowLocked,
  type Runner,
  type Work,
  writeOne,
} from "../transactions/index.ts";
import { toCompletion, toDismissal, completionStatements as sql, type Statement } from "../sql/index.ts";
import { openOutbox, type FindSubscriptions, type Subscriptions, type Write } from "../changes/index.ts";
import { readCompletions, type ContactEdit } from "../watches/index.ts";
import { conflictWithNodes, toCounts } from "./completions.ts";

/** The port's methods for completions and dismissals, without `insertCompletion`. */
export function createChecklists(runner: Runner): Pick<Storage, "findCompletions" | "putDismissal" | "findDismissals"> {
  return {
    findCompletions: (workspace, contactId) =>
      runner.read(async (work) => (await work.rows(sql.findCompletions(workspace, contactId))).map(toCompletion)),
    putDismissal: (given) =>
      writeOne(runner, given, async (work, draft) => {
        assertNotDeleted(await isDeletedWorkspace(work, draft.workspace));
        const contact = await lockWritten(work, draft);
        if (contact === rowLocked) return rowLocked;
        if (contact) await work.write(putStatement(contact, draft));
        return contact !== null;
      }),
    findDismissals: (workspace, contactId) =>
      runner.read(async (work) => (await work.rows(sql.findDismissals(workspace, contactId))).map(toDismissal)),
  };
}

/** Inserts the completion. Reads the definitions before it holds a connection. */
export async function complete(
  runner: Runner,
  given: CompletionDraft,
  list: ListDefinitions,
  findSubscriptions: (writes: readonly Write[]) => Promise<Subscriptions>,
): Promise<boolean> {
  const draft = structuredClone(given);
  const subscriptions = await findSubscriptions([draft]);
  const isTaken = subscriptions.get(draft.workspace)!.rows.length > 0;
  const checklists = isTaken ? await list(draft.workspace, "checklist") : [];
  return writeOne(runner, draft, (work) => insertCompletion(work, draft, subscriptions, async () => checklists));
}

/** Inserts the completion in a caller's transaction. Takes its turn at once, and reads the definitions in the transaction. */
export function completeInside(
  runner: Runner,
  given: CompletionDraft,
  findInside: FindSubscriptions,
): Promise<boolean> {
  return writeOne(runner, given, async (work, draft) =>
    insertCompletion(work, draft, await findInside([draft]), () => listDefinitions(work, draft.workspace, "checklist")),
  );
}

async function insertCompletion(
  work: Work,
  draft: CompletionDraft,
  subscriptions: Subscriptions | null,
  listChecklists: () => Promise<readonly ChecklistRow[]>,
): Promise<boolean | typeof rowLocked> {
  const contact = await lockWritten(work, draft);
  if (contact === rowLocked) return rowLocked;
  if (!contact) return false;
  const outbox = await openOutbox(work, [draft], subscriptions);
  assertNotDeleted(outbox.isDeleted(draft));
  const isNoted = outbox.takesChecklists(draft);
  if (isNoted) await conflictWithNodes(work, new Set([contact.id]));
  // The snapshot of a caller's transaction may lack a completion that was committed since.
  const lock = isNoted && work.waits ? "FOR UPDATE" : "";
  // The contact is locked, so no other transaction adds a completion.
  const before = isNoted ? ((await readCompletions(work, [contact.id], lock)).get(contact.id) ?? []) : null;
  outbox.edit(draft, editOf(contact, draft));
  await outbox.readEdited();
  await work.write(sql.insertCompletion(contact.id, draft));
  if (before && !before.some((other) => isSame(other, draft))) {
    const counts = toCounts(await work.rows(sql.findCountsOf([contact.id], lock)));
    const doing = { counts: counts.get(contact.id) ?? new Map<string, number>(), completions: [...before, draft] };
    const checklist = (await listChecklists()).find(({ id }) => id === draft.checklistId);
    outbox.add(draft, () => changesOfCompletion(contact, checklist, draft, doing));
  }
  await outbox.flush();
  return true;
}

function putStatement(contact: ContactNames, { checklistId, dismissedAt }: DismissalDraft): Statement {
  if (dismissedAt === null) return sql.deleteDismissal(contact.id, checklistId);
  return sql.insertDismissal(contact.id, { checklistId, dismissedAt });
}

/** Locks the contact to write to. `null` if there is none. */
async function lockWritten(
  work: Work,
  { workspace, externalId }: { workspace: string; externalId: string },
): Promise<ContactNames | null | typeof rowLocked> {
  const [contact] = await lockContacts(work, [{ workspace, reference: { externalId } }], namesOnly);
  if (contact) return contact;
  assertCaughtUp(work);
  // The earlier try may have written, and others may have deleted the contact since.
  if (work.uncertain) throw errors.unavailableBecause("unknown_outcome");
  return null;
}

function editOf(contact: ContactNames, draft: CompletionDraft): ContactEdit {
  return {
    contactId: contact.id,
    contact,
    names: namesOfCompletion(draft.checklistId),
    // The contact exists, so its data was read.
    apply: (data) =>
      data!.completions.some((other) => isSame(other, draft))
        ? null
        : { ...data!, completions: [...data!.completions, draft] },
    at: draft.completedAt ?? 0,
  };
}

function isSame(a: Completion, b: CompletionDraft): boolean {
  return a.checklistId === b.checklistId && a.itemKey === b.itemKey;
}
