import type { PageLocation } from "../../location.ts";
import { newKeys } from "../../unsaved.ts";
import { ChecklistEditor } from "./editor.tsx";
import { ChecklistList } from "./list.tsx";

/** `#/checklists` lists, `#/checklists/<key>` changes one, `#/checklists/new-checklist` makes one. */
export function Checklists({ path: [key] }: PageLocation) {
  if (key === undefined) return <ChecklistList />;
  return <ChecklistEditor key={key} checklistKey={key === newKeys.checklist ? null : key} />;
}
