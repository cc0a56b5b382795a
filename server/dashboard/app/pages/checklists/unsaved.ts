import { useLayoutEffect, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { assertNewKey, useForm, type Form } from "../../form.ts";
import { keepUnsaved, readUnsaved } from "../../unsaved.ts";
import type { ChecklistDefinition } from "../../../../../lib/model/types.ts";
import { definitionOf, draftOf, newItem, type ChecklistDraft } from "./draft.ts";

/** Takes the place of the key in the address of a new checklist. No key contains a hyphen. */
export const newChecklist = "new-checklist";

interface ChecklistForm {
  form: Form<ChecklistDraft>;
  isChanged: boolean;
  forget(): void;
}

/** Keeps the draft in the tab until it is forgotten, also while other pages are shown. */
export function useChecklistForm(checklist: ChecklistDefinition | null): ChecklistForm {
  const name = unsavedOf(checklist?.key ?? newChecklist);
  const [saved] = useState(() => draftOf(checklist));
  const [initial] = useState(() => readDraft(name) ?? saved);
  const form = useForm(initial, async (draft) => {
    if (!checklist) assertNewKey(draft.key, await api.checklists.list());
    await api.checklists.define(definitionOf(draft));
    // The user may have left the page, come back, and typed more.
    const kept = readUnsaved<ChecklistDraft>(name);
    if (kept && isSame(kept, draft)) keepUnsaved(name, null);
  });
  const isChanged = !isSame(form.draft, saved);
  useLayoutEffect(() => keepUnsaved(name, isChanged ? form.draft : null), [name, isChanged, form.draft]);
  return { form, isChanged, forget: () => keepUnsaved(name, null) };
}

/** The name under which the draft of a checklist is stored. */
export const unsavedOf = (key: string): string => `checklist ${key}`;

function readDraft(name: string): ChecklistDraft | null {
  const kept = readUnsaved<ChecklistDraft>(name);
  // Row ids start again when the page is loaded, so each row gets a new one.
  return kept && { ...kept, items: kept.items.map((item) => ({ ...item, id: newItem().id })) };
}

function isSame(one: ChecklistDraft, other: ChecklistDraft): boolean {
  return JSON.stringify(definitionOf(one)) === JSON.stringify(definitionOf(other));
}
