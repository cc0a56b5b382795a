import type { PageProps } from "../index.ts";
import { ChecklistEditor } from "./editor.tsx";
import { ChecklistList, newChecklist } from "./list.tsx";

/** `#/checklists` lists, `#/checklists/<key>` changes one, `#/checklists/new-checklist` makes one. */
export function Checklists({ path: [key] }: PageProps) {
  if (key === undefined) return <ChecklistList />;
  return <ChecklistEditor key={key} checklistKey={key === newChecklist ? null : key} />;
}
