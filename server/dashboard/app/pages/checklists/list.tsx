import { curlOf } from "../../kit/curl.ts";
import { Empty, WhenLoaded } from "../../kit/list.tsx";
import { Page } from "../../kit/page.tsx";
import { Code, countOf } from "../../kit/text.tsx";
import { useLoaded, type Loaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import type { ChecklistDefinition } from "../../../../../lib/model/types.ts";
import { newKeys } from "../../definitions/unsaved.ts";
import { ItemBars } from "./bars.tsx";
import { may } from "../../session.ts";

const firstChecklist = curlOf("PUT", "/checklists/onboarding", {
  name: "Onboarding",
  items: [{ key: "sign_up", name: "Sign up", when: { kind: "has_done", eventKey: "signup_completed" } }],
});

/** The checklists, and how far the contacts are. */
export function ChecklistList() {
  const checklists = useLoaded((methods) => methods.checklists.list(), []);
  const total = useLoaded((methods) => methods.contacts.count(), []);
  return (
    <Page
      title="Checklists"
      actions={
        may("putChecklist") && (
          <a class="button primary" href={hrefOf(["checklists", newKeys.checklist])}>
            Create checklist
          </a>
        )
      }
    >
      <WhenLoaded of={checklists}>
        {(items) =>
          items.length === 0 ? (
            <NoChecklists />
          ) : (
            items.map((checklist) => <Checklist key={checklist.key} {...{ checklist, total }} />)
          )
        }
      </WhenLoaded>
    </Page>
  );
}

interface ChecklistProps {
  checklist: ChecklistDefinition;
  total: Loaded<number>;
}

function Checklist({ checklist, total }: ChecklistProps) {
  const { key, name } = checklist;
  const counts = useLoaded((methods) => methods.checklists.counts(key), [key]);
  return (
    <section class="card" aria-label={name}>
      <div class="card-header">
        <h2>
          <a class="row-link" href={hrefOf(["checklists", key])}>
            {name}
          </a>{" "}
          <code class="muted">{key}</code>
        </h2>
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
