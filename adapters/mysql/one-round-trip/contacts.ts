import { decideContactWrite } from "../../../lib/decisions/contact-writes.ts";
import { effectiveExternalId, foldEmail } from "../../../lib/decisions/find-contact.ts";
import type { ContactDraft, ContactRow } from "../../../lib/storage/rows.ts";
import { attributesIn, definedBy } from "../definitions/index.ts";
import {
  contactStatements as sql,
  control,
  definitionStatements,
  either,
  toContact,
  type Name,
  type Statement,
} from "../sql/index.ts";
import { causesNothing, clocksOf, type Subscriptions } from "../changes/index.ts";
import type { WriteAtOnce, Work } from "../transactions/index.ts";
import { mayCreate } from "./sql/index.ts";

/** The rows that a batch of drafts is decided by. */
export interface ReadContacts {
  isDefined(this: void, workspace: string, attributeId: string): boolean;
  byEmail: readonly ContactRow[];
  byExternalId: readonly ContactRow[];
  /** The contacts that this transaction has locked: contacts with one of the emails, and contacts that drafts find by externalId. */
  locked: readonly ContactRow[];
}

/** The names of the drafts. `look` finds every row with one of the names, also a row that an open transaction has written. */
interface Names {
  look: Statement;
  emails: readonly Name[];
  externalIds: readonly Name[];
  /** The effective externalIds of the contacts to lock, beside those with one of the emails. */
  targets: readonly Name[];
}

type Created = { contact: ContactRow; created: boolean };

/**
 * A compound statement creates the contacts of the drafts, if no row has one of their names. Otherwise it begins the transaction
 * and reads what `decide` needs, as several statements always do.
 */
export function upsertingAtOnce<Answer>(
  drafts: readonly ContactDraft[],
  subscriptions: Subscriptions,
  names: Names,
  decide: (work: Work, read: ReadContacts) => Promise<(Answer | Created)[]>,
): WriteAtOnce<(Answer | Created)[]> {
  const created = newContacts(drafts, subscriptions);
  const attributeIds = attributesIn(drafts);
  return (form) => ({
    sequence(tables) {
      const reads = [
        control.begin,
        ...(attributeIds.length > 0 ? [definitionStatements.findAttributes(attributeIds, "")(tables)] : []),
        sql.findContactsByEmail(names.emails, "")(tables),
        sql.findContactsByExternalId(names.externalIds, "")(tables),
        sql.findContactsByEmail(names.emails, "FOR UPDATE SKIP LOCKED")(tables),
        ...(names.targets.length > 0
          ? [sql.findContactsByExternalId(names.targets, "FOR UPDATE SKIP LOCKED")(tables)]
          : []),
      ];
      const look = [control.readUncommitted, names.look(tables)];
      // A text of several statements cannot contain an IF: MySQL allows it only in stored programs.
      if (!created || form === "several") return { name: "upsertContacts", parts: [...look, ...reads] };
      const insert = sql.insertContacts(sql.inOrderOfInserts(created), clocksOf(subscriptions))(tables);
      const rest = either(mayCreate(tables, drafts), [control.begin, insert, control.commit], reads);
      return { name: "upsertContacts", parts: [...look, rest] };
    },
    resultOf([uncommitted = [], ...sets]) {
      if (created && sets.length === 0) return { result: created.map((contact) => ({ contact, created: true })) };
      const attributes = attributeIds.length > 0 ? sets.shift()! : [];
      // The statement then has two SELECTs without a lock, and after them the SELECTs that lock.
      const [byEmail, byExternalId, ...locked] = sets.map((rows) => rows.map(toContact)) as [
        ContactRow[],
        ContactRow[],
        ...ContactRow[][],
      ];
      const read = { isDefined: definedBy(attributes), byEmail, byExternalId, locked: locked.flat() };
      return { once: (work) => decide({ ...work, uncommitted }, read) };
    },
  });
}

/** The contacts that the drafts create if their names are free; `null` if a draft may depend on more than its names. */
function newContacts(drafts: readonly ContactDraft[], subscriptions: Subscriptions): ContactRow[] | null {
  const created: ContactRow[] = [];
  const taken = new Set<string>();
  for (const draft of drafts) {
    const { workspace, contact: named } = draft;
    // The folded externalId may be the email of an earlier draft. Then this draft updates the contact of that draft.
    if ("externalId" in named && taken.has(`externalId ${workspace} ${foldEmail(named.externalId)}`)) return null;
    const isPlain =
      subscriptions.get(workspace)?.isDeleted === false &&
      causesNothing(subscriptions, draft, { kind: "contact_created" }, null);
    const contact = isPlain && decideContactWrite(draft, null, () => ({ email: null, externalId: null }));
    if (!contact || "refused" in contact) return null;
    taken.add(`email ${workspace} ${contact.email}`).add(`externalId ${workspace} ${effectiveExternalId(contact)}`);
    created.push(contact);
  }
  return taken.size === 2 * drafts.length ? created : null;
}
