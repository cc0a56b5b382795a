import { daysIn } from "../../activity.ts";
import { Found } from "../../definitions/found.tsx";
import type { PageLocation } from "../../location.ts";
import { ChecklistEditor } from "./editor.tsx";
import { began, ChecklistList } from "./list.tsx";

/** `#/checklists` lists, `#/checklists/<key>` changes one, `#/checklists/new-checklist` makes one. */
export function Checklists({ path: [key], query }: PageLocation) {
  if (key === undefined) return <ChecklistList days={daysIn(query, began, 0)} />;
  return (
    <Found key={key} kind="checklist" at={key} list={(methods) => methods.checklists.list()}>
      {(checklist) => <ChecklistEditor checklist={checklist} />}
    </Found>
  );
}
