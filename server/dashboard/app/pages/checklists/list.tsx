import { Definitions } from "../../definitions/definitions.tsx";
import { countOf, DayTabs, WhenLoaded } from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import { knowsBeginning } from "../../../../../lib/model/checklist-rules.ts";
import type { ChecklistDefinition } from "../../../../../lib/model/types.ts";
import { ItemBars } from "./bars.tsx";

export const began: Readonly<Record<number, string>> = {
  0: "All",
  30: "Began in 30 days",
  90: "Began in 90 days",
};

/** The checklists, with the number of contacts that have completed each item. `days` leaves out those who began earlier; 0 none. */
export function ChecklistList({ days }: { days: number }) {
  const checklists = useLoaded((methods) => methods.checklists.list(), []);
  return (
    <Definitions kind="checklist" of={checklists}>
      {(items) => (
        <>
          <DayTabs days={days} of={began} hrefWith={(span) => hrefOf(["checklists"], { days: span })} />
          {items.map((checklist) => (
            <Checklist key={checklist.key} {...{ checklist, days }} />
          ))}
        </>
      )}
    </Definitions>
  );
}

function Checklist({ checklist, days }: { checklist: ChecklistDefinition; days: number }) {
  const { key, name, items: steps } = checklist;
  const counts = useLoaded(
    async (methods) => {
      const period = days > 0 && knowsBeginning(steps) ? { days } : undefined;
      const items = await methods.checklists.counts(key, period);
      // Those who began are those who completed the first item.
      return { items, period, contacts: period ? items[0]!.contacts : await methods.contacts.count() };
    },
    [key, days],
  );
  return (
    <section class="card" aria-label={name}>
      <div class="apart card-header">
        <h2>
          <a class="row-link" href={hrefOf(["checklists", key])}>
            {name}
          </a>{" "}
          <code class="muted">{key}</code>
        </h2>
      </div>
      <WhenLoaded of={counts}>
        {({ items, period, contacts }) => (
          <>
            <p class="muted">
              Of {countOf(contacts, "contact")}
              {period && ` that began in the last ${period.days} days`}
              {days > 0 && !period && ", because the first item does not say when they began"}:
            </p>
            <ItemBars {...{ checklist, period, contacts }} counts={items} />
          </>
        )}
      </WhenLoaded>
    </section>
  );
}
