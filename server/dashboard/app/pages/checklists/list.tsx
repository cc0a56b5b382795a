import { Definitions } from "../../definitions/definitions.tsx";
import { WhenLoaded } from "../../kit/list.tsx";
import { countOf } from "../../kit/text.tsx";
import { useLoaded, type Loaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import type { ChecklistDefinition } from "../../../../../lib/model/types.ts";
import { ItemBars } from "./bars.tsx";

/** The checklists, with the number of contacts that have completed each item. */
export function ChecklistList() {
  const checklists = useLoaded((methods) => methods.checklists.list(), []);
  const total = useLoaded((methods) => methods.contacts.count(), []);
  return (
    <Definitions kind="checklist" of={checklists}>
      {(items) => items.map((checklist) => <Checklist key={checklist.key} {...{ checklist, total }} />)}
    </Definitions>
  );
}

function Checklist({ checklist, total }: { checklist: ChecklistDefinition; total: Loaded<number> }) {
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
