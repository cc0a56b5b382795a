import { api } from "../../api.ts";
import { Failure } from "../../kit/failure.tsx";
import { Empty, WhenLoaded } from "../../kit/list.tsx";
import { Time } from "../../kit/text.tsx";
import { useAction, useLoaded } from "../../loading.ts";
import { hrefOf } from "../../place.ts";
import type { ChecklistProgress, Contact } from "../../../../../lib/types.ts";

/** How far a contact is in each checklist. */
export function ContactChecklists({ contact: { externalId } }: { contact: Contact }) {
  const loaded = useLoaded((methods) => methods.checklists.progress(externalId), [externalId]);
  const complete = async (checklistKey: string, itemKey: string): Promise<void> => {
    await api.checklists.complete(externalId, checklistKey, itemKey);
    loaded.reload();
  };
  return (
    <WhenLoaded of={loaded}>
      {(items) =>
        items.length > 0 ? (
          items.map((checklist) => <Checklist key={checklist.checklistKey} {...{ checklist, complete }} />)
        ) : (
          <Empty title="There are no checklists yet.">
            <p>
              <a href={hrefOf(["checklists"])}>Define a checklist</a> to follow what contacts have completed.
            </p>
          </Empty>
        )
      }
    </WhenLoaded>
  );
}

interface ChecklistProps {
  checklist: ChecklistProgress;
  complete: (checklistKey: string, itemKey: string) => Promise<void>;
}

function Checklist({ checklist: { checklistKey, name, progress, items }, complete }: ChecklistProps) {
  const { completed, total } = progress;
  return (
    <section class="card">
      <header class="card-header">
        <h2>
          <a class="row-link" href={hrefOf(["checklists", checklistKey])}>
            {name}
          </a>
        </h2>
        <span class="muted">
          {completed} of {total} completed
        </span>
      </header>
      <div class="bar" aria-hidden="true">
        <div style={{ "--share": `${(100 * completed) / total}%` }} />
      </div>
      <ul class="steps">
        {items.map((item) => (
          <Item key={item.itemKey} item={item} complete={() => complete(checklistKey, item.itemKey)} />
        ))}
      </ul>
    </section>
  );
}

interface ItemProps {
  item: ChecklistProgress["items"][number];
  complete: () => Promise<void>;
}

function Item({ item: { name, automatic, completed, completedAt }, complete }: ItemProps) {
  const { run, isRunning, error } = useAction(complete);
  return (
    <li class={completed ? "step good" : "step"}>
      <span class="step-sign" role="img" aria-label={completed ? "Completed" : "Not completed"}>
        {completed ? "✓" : "○"}
      </span>
      <span class="step-name">{name}</span>
      <span class="muted">
        {completed ? completedAt && <Time at={completedAt} /> : automatic && "completed by its events"}
      </span>
      {!completed && !automatic && (
        <button
          type="button"
          class="button small"
          disabled={isRunning}
          aria-label={`Complete ${name}`}
          onClick={() => void run()}
        >
          {isRunning ? "Completing…" : "Complete"}
        </button>
      )}
      <Failure error={error} />
    </li>
  );
}
