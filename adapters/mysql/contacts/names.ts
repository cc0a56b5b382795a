/** The names by which contacts are looked up. */
import { writtenFields } from "../../../lib/decisions/contact-writes.ts";
import { foldEmail } from "../../../lib/decisions/find-contact.ts";
import type { ContactDraft } from "../../../lib/storage/rows.ts";
import type { Name } from "../sql/index.ts";

export function emailsOf(drafts: readonly ContactDraft[]): Name[] {
  return namesIn(drafts, (draft) => [writtenFields(draft).email]);
}

/** The texts that may be the effective externalId of a contact: externalIds and emails. */
export function effectiveNamesOf(drafts: readonly ContactDraft[]): Name[] {
  const externalIds = namesIn(drafts, (draft) => [writtenFields(draft).externalId]);
  return [...emailsOf(drafts), ...externalIds, ...targetsOf(drafts)];
}

/** The effective externalIds of the contacts that drafts by externalId write. */
export function targetsOf(drafts: readonly ContactDraft[]): Name[] {
  return namesIn(drafts, ({ contact }) => ("externalId" in contact ? spellingsOf(contact.externalId) : []));
}

function namesIn(
  drafts: readonly ContactDraft[],
  textsOf: (draft: ContactDraft) => readonly (string | null | undefined)[],
): Name[] {
  return drafts.flatMap((draft) =>
    textsOf(draft).flatMap((text): Name[] => (typeof text === "string" ? [[draft.workspace, text]] : [])),
  );
}

/** The externalId as it is, and folded: a contact without its own externalId is found by its folded email. */
export function spellingsOf(externalId: string): string[] {
  const folded = foldEmail(externalId);
  return folded === externalId ? [externalId] : [externalId, folded];
}

/** Removes duplicate names, so that no row is found twice. */
export function distinct(names: readonly Name[]): Name[] {
  const known = new Map<string, Name>();
  for (const name of names) known.set(nameText(name), name);
  return [...known.values()];
}

export function nameText([workspace, text]: Name): string {
  return `${workspace} ${text}`;
}
