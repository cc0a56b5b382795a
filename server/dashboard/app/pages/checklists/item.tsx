import { Choice, Field } from "../../kit/field.tsx";
import { SmallButton } from "../../kit/small-button.tsx";
import type { ItemDraft } from "./draft.ts";

const kinds: Readonly<Record<ItemDraft["kind"], string>> = {
  has_done: "An event",
  count_greater_than: "Events, more than",
  by_hand: "By hand",
};

interface ItemProps {
  item: ItemDraft;
  index: number;
  /** The id of the list of event keys that are offered. */
  offered: string;
  error: unknown;
  onChange: (parts: Partial<ItemDraft>) => void;
  /** `null` on the first item. */
  onUp: (() => void) | null;
  /** `null` on the last one. */
  onDown: (() => void) | null;
  onRemove: () => void;
}

/** One item of a checklist. */
export function Item({ item, index, offered, error, onChange, ...deeds }: ItemProps) {
  const path = `items.${index}`;
  return (
    <li class="whole" data-item={item.id}>
      <fieldset class="row item">
        <legend tabIndex={-1}>Item {index + 1}</legend>
        <Field
          label="Name"
          path={`${path}.name`}
          error={error}
          value={item.name}
          onInput={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Field
          label="Key"
          path={`${path}.key`}
          error={error}
          value={item.key}
          onInput={(event) => onChange({ key: event.currentTarget.value })}
        />
        <Choice
          label="Completed by"
          path={`${path}.when.kind`}
          error={error}
          options={kinds}
          value={item.kind}
          onChange={(event) => onChange({ kind: event.currentTarget.value as ItemDraft["kind"] })}
        />
        {item.kind === "count_greater_than" && (
          <Field
            label="More than"
            path={`${path}.when.count`}
            error={error}
            inputMode="numeric"
            value={item.count}
            onInput={(event) => onChange({ count: event.currentTarget.value })}
          />
        )}
        {item.kind !== "by_hand" && (
          <Field
            label="Event key"
            path={`${path}.when.eventKey`}
            error={error}
            list={offered}
            value={item.eventKey}
            onInput={(event) => onChange({ eventKey: event.currentTarget.value })}
          />
        )}
        <ItemDeeds name={item.name || `item ${index + 1}`} {...deeds} />
      </fieldset>
    </li>
  );
}

function ItemDeeds({
  name,
  onUp,
  onDown,
  onRemove,
}: Pick<ItemProps, "onUp" | "onDown" | "onRemove"> & { name: string }) {
  return (
    <div class="actions">
      <button
        type="button"
        class="button small"
        aria-label={`Move ${name} up`}
        disabled={!onUp}
        onClick={() => onUp?.()}
      >
        ↑
      </button>
      <button
        type="button"
        class="button small"
        aria-label={`Move ${name} down`}
        disabled={!onDown}
        onClick={() => onDown?.()}
      >
        ↓
      </button>
      <SmallButton action="Remove" of={name} onClick={onRemove} />
    </div>
  );
}

/** The paths of the fields that are shown. */
export function itemPaths({ kind }: ItemDraft, index: number): string[] {
  const when = { by_hand: [], has_done: ["when.eventKey"], count_greater_than: ["when.eventKey", "when.count"] }[kind];
  return ["name", "key", "when.kind", ...when].map((field) => `items.${index}.${field}`);
}
