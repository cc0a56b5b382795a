import { useRef, useState } from "preact/hooks";
import { api } from "../../api.ts";
import { Empty, Failure, SmallButton, Time, WhenLoaded } from "../../kit/index.ts";
import { useAction, useLoaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import type { ChecklistProgress, Contact } from "../../../../../lib/model/types.ts";

/** How far a contact is in each checklist. */
export function ContactChecklists({ contact: { externalId } }: { contact: Contact }) {
  const loaded = useLoaded((methods) => methods.checklists.progress(externalId), [externalId]);
  return (
    <WhenLoaded of={loaded}>
      {(items) =>
        items.length > 0 ? (
          items.map((item) => <Checklist key={item.checklistKey} loaded={item} externalId={externalId} />)
        ) : (
          <Empty title="There are no checklists yet.">
            <p>
              <a href={hrefOf(["checklists"])}>Create a checklist</a> to follow what contacts have completed.
            </p>
          </Empty>
        )
      }
    </WhenLoaded>
  );
}

function Checklist({ loaded, externalId }: { loaded: ChecklistProgress; externalId: string }) {
  const [checklist, setChecklist] = useState(loaded);
  const { checklistKey, name, description, progress, dismissedAt, items } = checklist;
  const { completed, total } = progress;
  const card = useRef<HTMLElement>(null);
  const complete = async (itemKey: string): Promise<void> =>
    setChecklist(await api.checklists.complete(externalId, checklistKey, itemKey));
  return (
    <section ref={card} tabIndex={-1} class="card" aria-label={name}>
      <header class="apart card-header">
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
      {description && <p class="muted">{description}</p>}
      {dismissedAt && (
        <Dismissed
          name={name}
          at={dismissedAt}
          restore={async () => {
            setChecklist(await api.checklists.restore(externalId, checklistKey));
            // The focused button is removed.
            card.current?.focus();
          }}
        />
      )}
      <ul class="plain steps">
        {items.map((item) => (
          <Item key={item.itemKey} item={item} complete={() => complete(item.itemKey)} />
        ))}
      </ul>
    </section>
  );
}

function Dismissed({ name, at, restore }: { name: string; at: string; restore: () => Promise<void> }) {
  const { run, isRunning, error } = useAction(restore);
  return (
    <>
      <p class="muted">
        Dismissed <Time at={at} />{" "}
        <SmallButton
          action={isRunning ? "Restoring…" : "Restore"}
          of={name}
          needs="restoreChecklist"
          isDisabled={isRunning}
          onClick={() => void run()}
        />
      </p>
      <Failure error={error} />
    </>
  );
}

interface ItemProps {
  item: ChecklistProgress["items"][number];
  complete: () => Promise<void>;
}

function Item({ item: { name, description, automatic, completed, completedAt }, complete }: ItemProps) {
  const { run, isRunning, error } = useAction(complete);
  const step = useRef<HTMLLIElement>(null);
  const completeItem = async (): Promise<void> => {
    // The focused button is removed.
    if (await run()) step.current?.focus();
  };
  return (
    <li ref={step} tabIndex={-1} class="line step">
      <span class={completed ? "good" : "muted"} role="img" aria-label={completed ? "Completed" : "Not completed"}>
        {completed ? "✓" : "○"}
      </span>
      <span class="step-name">
        {name}
        {description && <span class="muted"> {description}</span>}
      </span>
      <span class="muted">{completed ? completedAt && <Time at={completedAt} /> : automatic && "by its events"}</span>
      {!completed && !automatic && (
        <SmallButton
          action={isRunning ? "Completing…" : "Complete"}
          of={name}
          needs="completeItem"
          isDisabled={isRunning}
          onClick={() => void completeItem()}
        />
      )}
      <Failure error={error} />
    </li>
  );
}
