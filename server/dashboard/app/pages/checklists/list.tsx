import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { curlOf } from "../../kit/curl.ts";
import { Empty, WhenLoaded } from "../../kit/list.tsx";
import { Page } from "../../kit/page.tsx";
import { Removal } from "../../kit/removal.tsx";
import { SmallButton } from "../../kit/small-button.tsx";
import { Code, countOf } from "../../kit/text.tsx";
import { useLoaded, type Loaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import type { ChecklistDefinition } from "../../../../../lib/model/types.ts";
import { forgetUnsaved, newKeys } from "../../unsaved.ts";
import { ItemBars } from "./bars.tsx";

const firstChecklist = curlOf("PUT", "/checklists/onboarding", {
  name: "Onboarding",
  items: [{ key: "sign_up", name: "Sign up", when: { kind: "has_done", eventKey: "signup_completed" } }],
});

/** The checklists, and how far the contacts are. */
export function ChecklistList() {
  const checklists = useLoaded((methods) => methods.checklists.list(), []);
  const total = useLoaded((methods) => methods.contacts.count(), []);
  const [deleted, setDeleted] = useState<ChecklistDefinition | null>(null);
  return (
    <Page
      title="Checklists"
      actions={
        <a class="button primary" href={hrefOf(["checklists", newKeys.checklist])}>
          Create checklist
        </a>
      }
    >
      <WhenLoaded of={checklists}>
        {(items) =>
          items.length === 0 ? (
            <NoChecklists />
          ) : (
            items.map((checklist) => (
              <Checklist
                key={checklist.key}
                checklist={checklist}
                total={total}
                onDelete={() => setDeleted(checklist)}
              />
            ))
          )
        }
      </WhenLoaded>
      {deleted && (
        <DeleteChecklist
          checklist={deleted}
          onClose={() => setDeleted(null)}
          onRemoved={() => {
            setDeleted(null);
            checklists.reload();
          }}
        />
      )}
    </Page>
  );
}

interface ChecklistProps {
  checklist: ChecklistDefinition;
  total: Loaded<number>;
  onDelete: () => void;
}

function Checklist({ checklist, total, onDelete }: ChecklistProps) {
  const { key, name } = checklist;
  const counts = useLoaded((methods) => methods.checklists.counts(key), [key]);
  return (
    <section class="card" aria-label={name}>
      <div class="card-header">
        <h2>
          {name} <code class="muted">{key}</code>
        </h2>
        <div class="actions">
          <a class="button small" href={hrefOf(["checklists", key])} aria-label={`Edit ${name}`}>
            Edit
          </a>
          <SmallButton action="Delete" of={name} onClick={onDelete} />
        </div>
      </div>
      <WhenLoaded of={total}>
        {(contacts) => (
          <>
            <p class="muted">Of {countOf(contacts, "contact")}:</p>
            <WhenLoaded of={counts}>
              {(items) => <ItemBars checklist={checklist} counts={items} contacts={contacts} />}
            </WhenLoaded>
          </>
        )}
      </WhenLoaded>
    </section>
  );
}

function DeleteChecklist({
  checklist: { key, name },
  ...closing
}: {
  checklist: ChecklistDefinition;
  onRemoved: () => void;
  onClose: () => void;
}) {
  return (
    <Removal
      {...closing}
      title={`Delete “${name}”?`}
      action="Delete the checklist"
      remove={async () => {
        await api.checklists.delete(key);
        forgetUnsaved("checklist", key);
      }}
    >
      <p>Items completed by hand are lost: defined again, it starts without them. The events stay.</p>
    </Removal>
  );
}

function NoChecklists() {
  return (
    <Empty title="There are no checklists yet.">
      <p>
        A checklist is a list of steps for each contact, such as those of its first week. Create one here, or paste this
        with an API key of access admin:
      </p>
      <Code text={firstChecklist} />
    </Empty>
  );
}
