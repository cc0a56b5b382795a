import { api } from "../../api.ts";
import { Editor, useEditing } from "../../definitions/editor.tsx";
import { Button, Section, TextField } from "../../kit/index.ts";
import type { ChecklistDefinition } from "../../../../../lib/model/types.ts";
import { may } from "../../session.ts";
import { definitionOf, draftOf, lostItems, newItem, type ChecklistDraft } from "./draft.ts";
import { itemPaths } from "./item.tsx";
import { Items } from "./items.tsx";

/** Edits a checklist; `null` for a new one. */
export function ChecklistEditor({ checklist }: { checklist: ChecklistDefinition | null }) {
  const editing = useEditing<ChecklistDefinition, ChecklistDraft>(
    "checklist",
    checklist,
    { draftOf, definitionOf, compared: definitionOf },
    { list: api.checklists.list, define: (draft) => api.checklists.define(definitionOf(draft)) },
  );
  const { draft, change } = editing;
  const { items } = draft;
  const add = (): void => change({ items: [...items, newItem()] });
  const paths = items.flatMap((item, index) => itemPaths(item, index));
  return (
    <Editor
      kind="checklist"
      definition={checklist}
      editing={editing}
      fields={["name", "description", ...(checklist ? [] : ["key"]), ...paths]}
    >
      <fieldset class="plain" disabled={!may("putChecklist")}>
        <div class="fields">
          <TextField of={editing} path="name" label="Name" hint="What people read." />
          {!checklist && (
            <TextField
              of={editing}
              path="key"
              label="Key"
              hint="Letters, digits and _, such as onboarding. It never changes."
            />
          )}
          <TextField of={editing} path="description" label="Description" hint="Shown below the name. May be empty." />
        </div>
        <Section title="Items">
          <Items form={editing} />
          <Button action="Add an item" look="more" onClick={add} />
          {lostItems(checklist, draft).map(({ key, name }) => (
            <p key={key} class="warning" role="status">
              <b>{name}</b> goes, and with it who completed it by hand. That comes back only if an item with the key{" "}
              <code>{key}</code> does.
            </p>
          ))}
        </Section>
      </fieldset>
    </Editor>
  );
}
