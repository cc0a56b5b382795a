import { useEffect, useId, useRef } from "preact/hooks";
import { eventKeys } from "../../event-keys.ts";
import type { Form } from "../../form.ts";
import { Suggestions } from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";
import { moved, type ChecklistDraft, type ItemDraft } from "./draft.ts";
import { Item } from "./item.tsx";

/** The items of the checklist, in order. */
export function Items({ form }: { form: Form<ChecklistDraft> }) {
  const { items } = form.draft;
  const keys = useLoaded((methods) => eventKeys(methods), []);
  const offered = useId();
  const list = useRef<HTMLOListElement>(null);
  const focused = useRef<string | null>(null);
  useEffect(() => {
    // A moved row loses the focus.
    if (focused.current !== null) list.current!.querySelector<HTMLElement>(focused.current)?.focus();
    focused.current = null;
  });
  const change = (id: number, parts: Partial<ItemDraft>): void =>
    form.change({ items: items.map((each) => (each.id === id ? { ...each, ...parts } : each)) });
  const move = (index: number, by: -1 | 1): void => {
    focused.current = `[data-item="${items[index]!.id}"] summary`;
    form.change({ items: moved(items, index, by) });
  };
  return (
    <>
      <ol ref={list} class="plain stack rows">
        {items.map((item, index) => (
          <Item
            key={item.id}
            {...{ item, index, offered }}
            error={form.error}
            onChange={(parts) => change(item.id, parts)}
            onUp={index > 0 ? () => move(index, -1) : null}
            onDown={index < items.length - 1 ? () => move(index, 1) : null}
            onRemove={() => form.change({ items: items.filter((each) => each.id !== item.id) })}
          />
        ))}
      </ol>
      <Suggestions id={offered} of={keys.value ?? []} />
    </>
  );
}
