import { Choice, Field } from "../../kit/field.tsx";
import { SmallButton } from "../../kit/small-button.tsx";
import { newRule, pathOfRule, type ItemDraft, type RuleDraft } from "./draft.ts";

const kinds: Readonly<Record<RuleDraft["kind"], string>> = {
  has_done: "An event",
  count_greater_than: "Events, more than",
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
        <Field
          label="Description"
          path={`${path}.description`}
          error={error}
          value={item.description}
          onInput={(event) => onChange({ description: event.currentTarget.value })}
        />
        <Field
          label="Link"
          path={`${path}.href`}
          error={error}
          value={item.href}
          onInput={(event) => onChange({ href: event.currentTarget.value })}
        />
        <Rules {...{ item, offered, error, path, onChange }} />
        <ItemDeeds name={item.name || `item ${index + 1}`} {...deeds} />
      </fieldset>
    </li>
  );
}

interface RulesProps extends Pick<ItemProps, "item" | "offered" | "error"> {
  path: string;
  onChange: (parts: Partial<ItemDraft>) => void;
}

/** The rules of which each completes the item, or that it is completed by hand. */
function Rules({ item, offered, error, path, onChange }: RulesProps) {
  const { rules } = item;
  const change = (index: number, parts: Partial<RuleDraft> | null): void =>
    onChange({ rules: rules.flatMap((rule, at) => (at !== index ? [rule] : parts ? [{ ...rule, ...parts }] : [])) });
  if (rules.length === 0)
    return (
      <Choice
        label="Completed by"
        path={`${path}.when.kind`}
        error={error}
        options={{ ...kinds, by_hand: "By hand" }}
        value="by_hand"
        onChange={(event) =>
          onChange({ rules: [{ ...newRule, kind: event.currentTarget.value as RuleDraft["kind"] }] })
        }
      />
    );
  return (
    <>
      {rules.map((rule, index) => (
        <RuleFields
          key={index}
          {...{ rule, offered, error }}
          isOnly={rules.length === 1}
          label={index === 0 ? "Completed by" : "Or by"}
          path={pathOfRule(item, path, index)}
          onChange={(parts) => change(index, parts)}
        />
      ))}
      <div class="actions">
        <button type="button" class="button small" onClick={() => onChange({ rules: [...rules, newRule] })}>
          Or by other events
        </button>
      </div>
    </>
  );
}

interface RuleFieldsProps {
  rule: RuleDraft;
  label: string;
  path: string;
  offered: string;
  error: unknown;
  /** Whether the item has no other rule. Then its removal leaves an item completed by hand. */
  isOnly: boolean;
  onChange: (parts: Partial<RuleDraft> | null) => void;
}

function RuleFields({ rule, label, path, offered, error, isOnly, onChange }: RuleFieldsProps) {
  return (
    <>
      <Choice
        label={label}
        path={`${path}.kind`}
        error={error}
        options={{ ...kinds, by_hand: isOnly ? "By hand" : "Nothing" }}
        value={rule.kind}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === "by_hand" ? null : { kind: value as RuleDraft["kind"] })
        }
      />
      {rule.kind === "count_greater_than" && (
        <Field
          label="More than"
          path={`${path}.count`}
          error={error}
          inputMode="numeric"
          value={rule.count}
          onInput={(event) => onChange({ count: event.currentTarget.value })}
        />
      )}
      <Field
        label="Event key"
        path={`${path}.eventKey`}
        error={error}
        list={offered}
        value={rule.eventKey}
        onInput={(event) => onChange({ eventKey: event.currentTarget.value })}
      />
    </>
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
export function itemPaths(item: ItemDraft, index: number): string[] {
  const path = `items.${index}`;
  const ofRules = item.rules.flatMap(({ kind }, at) =>
    ["kind", "eventKey", ...(kind === "count_greater_than" ? ["count"] : [])].map(
      (field) => `${pathOfRule(item, path, at)}.${field}`,
    ),
  );
  const shown = ["name", "key", "description", "href"].map((field) => `${path}.${field}`);
  return [...shown, ...(item.rules.length > 0 ? ofRules : [`${path}.when.kind`])];
}
