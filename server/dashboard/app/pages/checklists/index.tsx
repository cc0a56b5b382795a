import type { Place } from "../../place.ts";
import { ChecklistEditor } from "./editor.tsx";
import { ChecklistList } from "./list.tsx";
import { newChecklist } from "./unsaved.ts";

/** `#/checklists` lists, `#/checklists/<key>` changes one, `#/checklists/new-checklist` makes one. */
export function Checklists({ path: [key] }: Place) {
  if (key === undefined) return <ChecklistList />;
  return <ChecklistEditor key={key} checklistKey={key === newChecklist ? null : key} />;
}
