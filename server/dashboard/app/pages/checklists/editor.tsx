import { api } from "../../api.ts";
import type { Form } from "../../form.ts";
import { FormParts, TextField } from "../../kit/form.tsx";
import { Empty, WhenLoaded } from "../../kit/list.tsx";
import { Page } from "../../kit/page.tsx";
import { useAction, useLoaded } from "../../loading.ts";
import { goTo, hrefOf, useIsThere } from "../../location.ts";
import { useOverwriting } from "../../overwriting.tsx";
import { useUnsaved } from "../../unsaved.ts";
import type { ChecklistDefinition } from "../../../../../lib/model/types.ts";
import { definitionOf, draftOf, lostItems, newItem, type ChecklistDraft } from "./draft.ts";
import { itemPaths } from "./item.tsx";
import { Items } from "./items.tsx";

/** Changes the checklist with the key, or makes a new one if it is `null`. */
export function ChecklistEditor({ checklistKey }: { checklistKey: string | null }) {
  const checklists = useLoaded((methods) => methods.checklists.list(), []);
  return (
    <Page
      back={{ href: hrefOf(["checklists"]), title: "All checklists" }}
      title={checklistKey !== null ? `Edit “${checklistKey}”` : "Create checklist"}
    >
      <WhenLoaded of={checklists}>
        {(items) => {
          if (checklistKey === null) return <Editor checklist={null} />;
          const checklist = items.find(({ key }) => key === checklistKey);
          return checklist ? <Editor checklist={checklist} /> : <NoSuchChecklist />;
        }}
      </WhenLoaded>
    </Page>
  );
}

function Editor({ checklist }: { checklist: ChecklistDefinition | null }) {
  const unsaved = useUnsaved("checklist", checklist, draftOf, definitionOf);
  const { draft, begun, isChanged, change, store, discard } = unsaved;
  const { assertStored, question } = useOverwriting(api.checklists.list, unsaved.setStored);
  const { run, isRunning, error } = useAction(async () => {
    await assertStored(begun, definitionOf(draft));
    store(draft, await api.checklists.define(definitionOf(draft)));
  });
  const form: Form<ChecklistDraft> = { draft, change, save: run, isSaving: isRunning, error };
  const isThere = useIsThere();
  const { items } = draft;
  const toList = (): void => goTo(hrefOf(["checklists"]));
  const paths = items.flatMap((item, index) => itemPaths(item, index));
  return (
    <FormParts
      form={form}
      action={checklist ? "Save" : "Create"}
      fields={["name", "description", ...(checklist ? [] : ["key"]), ...paths]}
      onSaved={() => isThere() && toList()}
      onClose={() => {
        discard();
        toList();
      }}
    >
      <div class="fields">
        <TextField of={form} path="name" label="Name" hint="What people read." />
        {!checklist && (
          <TextField
            of={form}
            path="key"
            label="Key"
            hint="Letters, digits and _, such as onboarding. It never changes."
          />
        )}
        <TextField of={form} path="description" label="Description" hint="Shown below the name. May be empty." />
      </div>
      <h2>Items</h2>
      <Items form={form} />
      <div>
        <button type="button" class="button" onClick={() => change({ items: [...items, newItem()] })}>
          Add an item
        </button>
      </div>
      {lostItems(checklist, draft).map(({ key, name }) => (
        <p key={key} class="warning" role="status">
          <b>{name}</b> goes, and with it who completed it by hand. That comes back only if an item with the key{" "}
          <code>{key}</code> does.
        </p>
      ))}
      <p class="hint" role="status">
        {isChanged && "Not saved yet. It stays in this tab until you save or cancel it."}
      </p>
      {question}
    </FormParts>
  );
}

function NoSuchChecklist() {
  return (
    <Empty title="There is no such checklist.">
      <a href={hrefOf(["checklists"])}>Go to the checklists</a>
    </Empty>
  );
}
