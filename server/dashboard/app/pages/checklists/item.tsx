import { useEffect, useState } from "preact/hooks";
import { issuesOf } from "../../api.ts";
import { Choice, SmallButton, TextField } from "../../kit/index.ts";
import { replaced } from "../../rules/draft.ts";
import { newRule, pathOfRule, type ItemDraft, type RuleDraft } from "./draft.ts";

const kinds: Readonly<Record<RuleDraft["kind"], string>> = {
  has_done: "An event",
  count_greater_than: "Events, more than",
};

const textLabels = { name: "Name", key: "Key", description: "Description", href: "Link" };
const textFields = ["name", "key", "description", "href"] as const;

interface ItemProps {
  item: ItemDraft;
  index: number;
  /** The id of the list of event keys that are offered. */
  offered: string;
  error: unknown;
  onChange: (parts: Partial<ItemDraft>) => void;
  /** `null` on the first item. */
  onUp: (() => void) | null;
  /** `null` on the last item. */
  onDown: (() => void) | null;
  onRemove: () => void;
}

/** One item of a checklist. Opens if it is new, or if the server refuses one of its fields. */
export function Item({ item, index, offered, error, onChange, onUp, onDown, onRemove }: ItemProps) {
  const path = `items.${index}`;
  const paths = itemPaths(item, index);
  const [isOpen, setOpen] = useState(item.key === "");
  const isRefused = issuesOf(error).some((issue) => paths.includes(issue.path));
  useEffect(() => setOpen((before) => before || isRefused), [error, isRefused]);
  const name = item.name || `Item ${index + 1}`;
  const of = { draft: item, change: onChange, error, at: path };
  return (
    <li class="whole" data-item={item.id}>
      <details class="card" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="line apart">
          <span class="row-title">{name}</span>
        </summary>
        <div class="fields">
          {textFields.map((field) => (
            <TextField key={field} of={of} path={field} label={textLabels[field]} />
          ))}
          <Rules {...{ item, offered, error, path, onChange }} />
        </div>
        <div class="line">
          {item.rules.length > 0 && (
            <SmallButton action="Or by other events" onClick={() => onChange({ rules: [...item.rules, newRule] })} />
          )}
          <SmallButton action="Move" of={`${name} up`} sign="↑" isDisabled={!onUp} onClick={() => onUp?.()} />
          <SmallButton action="Move" of={`${name} down`} sign="↓" isDisabled={!onDown} onClick={() => onDown?.()} />
          <SmallButton action="Remove" of={name} onClick={onRemove} />
        </div>
      </details>
    </li>
  );
}

interface RulesProps extends Pick<ItemProps, "item" | "offered" | "error"> {
  path: string;
  onChange: (parts: Partial<ItemDraft>) => void;
}

/** Shows the rules that complete the item, or that it is completed by hand. */
function Rules({ item, offered, error, path, onChange }: RulesProps) {
  const { rules } = item;
  const shown = rules.length > 0 ? rules : [null];
  return (
    <>
      {shown.map((rule, index) => (
        <RuleFields
          key={index}
          {...{ rule, offered, error }}
          isOnly={shown.length === 1}
          label={index === 0 ? "Completed by" : "Or by"}
          path={pathOfRule(item, path, index)}
          onChange={(parts) => onChange({ rules: replaced(rules, index, parts && { ...(rule ?? newRule), ...parts }) })}
        />
      ))}
    </>
  );
}

interface RuleFieldsProps {
  /** `null` if the item is completed by hand. */
  rule: RuleDraft | null;
  label: string;
  path: string;
  offered: string;
  error: unknown;
  /** Whether the item has no other rule. If the only rule is removed, the item is completed by hand. */
  isOnly: boolean;
  onChange: (parts: Partial<RuleDraft> | null) => void;
}

function RuleFields({ rule, label, path, offered, error, isOnly, onChange }: RuleFieldsProps) {
  const of = rule && { draft: rule, change: onChange, error, at: path };
  return (
    <>
      <Choice
        label={label}
        path={`${path}.kind`}
        error={error}
        options={{ ...kinds, by_hand: isOnly ? "By hand" : "Nothing" }}
        value={rule?.kind ?? "by_hand"}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === "by_hand" ? null : { kind: value as RuleDraft["kind"] })
        }
      />
      {of?.draft.kind === "count_greater_than" && (
        <TextField of={of} path="count" label="More than" inputMode="numeric" />
      )}
      {of && <TextField of={of} path="eventKey" label="Event key" list={offered} />}
    </>
  );
}

/** The paths of the item's fields, which show their own issues. */
export function itemPaths(item: ItemDraft, index: number): string[] {
  const path = `items.${index}`;
  const ofRules = item.rules.flatMap(({ kind }, at) =>
    ["kind", "eventKey", ...(kind === "count_greater_than" ? ["count"] : [])].map(
      (field) => `${pathOfRule(item, path, at)}.${field}`,
    ),
  );
  const shown = textFields.map((field) => `${path}.${field}`);
  return [...shown, ...(item.rules.length > 0 ? ofRules : [`${path}.when.kind`])];
}
