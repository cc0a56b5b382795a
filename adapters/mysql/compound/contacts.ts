import { decideContactWrite } from "../../../lib/decisions/contact-writes.ts";
import { effectiveExternalId } from "../../../lib/decisions/identity.ts";
import type { ContactDraft, ContactRow } from "../../../lib/storage/rows.ts";
import { attributesIn, definedBy } from "../defined-attributes.ts";
import {
  contactStatements as sql,
  control,
  definitionStatements,
  either,
  hexOf,
  toContact,
  type Fragment,
  type Name,
  type Statement,
  type Tables,
} from "../sql/index.ts";
import { causesNothing, type Subscriptions } from "../subscriptions/index.ts";
import type { Compound, Work } from "../transactions/index.ts";

/** The rows that a batch of drafts is decided by. */
export interface ReadContacts {
  isDefined(this: void, workspace: string, attributeId: string): boolean;
  byEmail: readonly ContactRow[];
  byExternalId: readonly ContactRow[];
  /** The contacts with one of the emails that this transaction has locked. */
  locked: readonly ContactRow[];
}

/** The statement and the names by which the contacts of the drafts are found. `look` finds any row with one of the names, also of an open transaction. */
interface Names {
  look: Statement;
  emails: readonly Name[];
  externalIds: readonly Name[];
}

type Created = { contact: ContactRow; created: boolean };

/**
 * A compound statement creates the contacts of the drafts, if no row has one of their names. Otherwise it begins the transaction
 * and reads what `decide` needs, as a packet always does.
 */
export function upsertingAtOnce<Answer>(
  drafts: readonly ContactDraft[],
  subscriptions: Subscriptions,
  names: Names,
  decide: (work: Work, read: ReadContacts) => Promise<(Answer | Created)[]>,
): Compound<(Answer | Created)[]> {
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
      ];
      const creates = form === "compound" &&
        created && [control.begin, sql.insertContacts(sql.inOrderOfInserts(created))(tables), control.commit];
      const rest = creates ? [either(mayCreate(tables, drafts), creates, reads)] : reads;
      return { name: "upsertContacts", parts: [control.readUncommitted, names.look(tables), ...rest] };
    },
    resultOf([uncommitted = [], ...sets]) {
      if (created && sets.length === 0) return { result: created.map((contact) => ({ contact, created: true })) };
      const attributes = attributeIds.length > 0 ? sets.shift()! : [];
      // The statement has three more SELECTs.
      const [byEmail, byExternalId, locked] = sets.map((rows) => rows.map(toContact)) as [
        ContactRow[],
        ContactRow[],
        ContactRow[],
      ];
      const read = { isDefined: definedBy(attributes), byEmail, byExternalId, locked };
      return { once: (work) => decide({ ...work, uncommitted }, read) };
    },
  });
}

/** The contacts that the drafts create if their names are free; `null` if a draft may depend on more than its names. */
function newContacts(drafts: readonly ContactDraft[], subscriptions: Subscriptions): ContactRow[] | null {
  const created: ContactRow[] = [];
  const taken = new Set<string>();
  for (const draft of drafts) {
    const { workspace } = draft;
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

/** Whether the `look` before it has found no row, and all attributes are defined. */
function mayCreate({ definitions }: Tables, drafts: readonly ContactDraft[]): Fragment | string {
  const pairs = drafts.flatMap((draft) => attributesIn([draft]).map((id) => [hexOf(id), draft.workspace]));
  if (pairs.length === 0) return "FOUND_ROWS() = 0";
  return {
    sql: `FOUND_ROWS() = 0 AND (SELECT COUNT(*)
  FROM JSON_TABLE(?, '$[*]' COLUMNS (id CHAR(32) PATH '$[0]', w VARCHAR(64) CHARACTER SET utf8mb4 PATH '$[1]')) listed
  STRAIGHT_JOIN ${definitions} d FORCE INDEX (PRIMARY) ON d.id = UNHEX(listed.id)
    AND d.workspace = CAST(listed.w AS BINARY) AND d.kind = CAST('attribute' AS BINARY)) = ?`,
    values: [JSON.stringify(pairs), pairs.length],
  };
}
