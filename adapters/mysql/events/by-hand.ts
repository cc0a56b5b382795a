import { changesOfCompletion } from "../../../lib/decisions/changes.ts";
import { assertNotDeleted } from "../../../lib/storage/refusals.ts";
import { namesOfCompletion } from "../../../lib/decisions/watches.ts";
import type { Completion, CompletionDraft, DismissalDraft } from "../../../lib/storage/rows.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import { unavailableBecause } from "../connection/index.ts";
import { lockContacts, namesOnly, type ContactNames } from "../contacts/index.ts";
import type { ListDefinitions } from "../definitions.ts";
import { isDeletedWorkspace } from "../deleted-workspaces.ts";
import { toCompletion, toDismissal, completionStatements as sql, type Statement } from "../sql/index.ts";
import { openOutbox, type FindSubscriptions } from "../subscriptions/index.ts";
import { assertCaughtUp, held, type Runner, type Work } from "../transactions/index.ts";
import type { ContactEdit } from "../memberships/index.ts";
import { writeOne } from "../write-one.ts";
import { conflictWithNodes, toCounts } from "./completions.ts";

/** The port's methods for completions by hand and dismissals. */
export function createCompletions(
  runner: Runner,
  list: ListDefinitions,
  findSubscriptions: FindSubscriptions,
): Pick<Storage, "insertCompletion" | "findCompletions" | "putDismissal" | "findDismissals"> {
  return {
    async insertCompletion(given) {
      const draft = structuredClone(given);
      const subscriptions = await findSubscriptions([draft]);
      const checklists = subscriptions?.get(draft.workspace)?.rows.length
        ? await list(draft.workspace, "checklist")
        : [];
      const checklist = checklists.find(({ id }) => id === draft.checklistId);
      return writeOne(runner, draft, async (work) => {
        const contact = await lockWritten(work, draft);
        if (contact === held) return held;
        if (!contact) return false;
        const outbox = await openOutbox(work, [draft], subscriptions);
        assertNotDeleted(outbox.isDeleted(draft));
        const isNoted = outbox.takesChecklists(draft);
        if (isNoted) await conflictWithNodes(work, new Set([contact.id]));
        const before = isNoted ? await findCompletions(work, contact) : null;
        outbox.edit(draft, editOf(contact, draft));
        await outbox.readEdited();
        await work.write(sql.insertCompletion(contact.id, draft));
        if (before && !before.some((other) => isSame(other, draft))) {
          const doing = { counts: await findCounts(work, contact), completions: [...before, draft] };
          outbox.add(draft, () => changesOfCompletion(contact, checklist, draft, doing));
        }
        await outbox.flush();
        return true;
      });
    },
    findCompletions: (workspace, contactId) =>
      runner.read(async (work) => (await work.rows(sql.findCompletions(workspace, contactId))).map(toCompletion)),
    putDismissal: (given) =>
      writeOne(runner, given, async (work, draft) => {
        assertNotDeleted(await isDeletedWorkspace(work, draft.workspace));
        const contact = await lockWritten(work, draft);
        if (contact === held) return held;
        if (contact) await work.write(putStatement(contact, draft));
        return contact !== null;
      }),
    findDismissals: (workspace, contactId) =>
      runner.read(async (work) => (await work.rows(sql.findDismissals(workspace, contactId))).map(toDismissal)),
  };
}

function putStatement(contact: ContactNames, { checklistId, dismissedAt }: DismissalDraft): Statement {
  if (dismissedAt === null) return sql.deleteDismissal(contact.id, checklistId);
  return sql.insertDismissal(contact.id, { checklistId, dismissedAt });
}

/** Locks the contact to write to. `null` if there is none. */
async function lockWritten(
  work: Work,
  { workspace, externalId }: { workspace: string; externalId: string },
): Promise<ContactNames | null | typeof held> {
  const [contact] = await lockContacts(work, [{ workspace, reference: { externalId } }], namesOnly);
  if (contact) return contact;
  assertCaughtUp(work);
  // The earlier try may have written, and others may have deleted the contact since.
  if (work.uncertain) throw unavailableBecause("unknown_outcome");
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

/** Reads the contact's completions. The contact is locked, so no other transaction adds one. */
async function findCompletions(work: Work, { id }: ContactNames): Promise<Completion[]> {
  return (await work.rows(sql.findCompletionsOf([id]))).map(toCompletion);
}

async function findCounts(work: Work, { id }: ContactNames): Promise<ReadonlyMap<string, number>> {
  return toCounts(await work.rows(sql.findCountsOf([id]))).get(id) ?? new Map<string, number>();
}
