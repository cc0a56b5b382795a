import { useId, useRef } from "preact/hooks";
import type { Issue } from "../../../../lib/model/errors.ts";
import { SmallButton, Suggestions } from "../kit/index.ts";
import { emptyRow, pathOf, replaced, withPart, type Draft, type Group, type Join, type Part } from "./draft.ts";
import { Negation, RowEditor, type PartProps } from "./row.tsx";
import type { Catalogue } from "./subjects.ts";

interface BuilderProps {
  draft: Draft;
  catalogue: Catalogue;
  issues: readonly Issue[];
  onChange: (draft: Draft) => void;
}

/** Rows and groups that make a rule. */
export function Builder({ draft, catalogue, issues, onChange }: BuilderProps) {
  const eventKeysId = useId();
  const workshop = { catalogue, issues, eventKeysId };
  return (
    <>
      <GroupEditor of={draft} name="" path="rule" {...{ workshop, onChange }} onRemove={null} />
      <Suggestions id={eventKeysId} of={catalogue.eventKeys} />
    </>
  );
}

/** The whole rule, whose name is empty, or a group inside it, with the rows and groups in it. */
function GroupEditor<Whole extends Draft | Group>(props: PartProps<Whole>) {
  const { of: whole, name, path, workshop, onChange, onRemove } = props;
  const { join, parts } = whole;
  const group = "isNegated" in whole ? (whole as Group) : null;
  const label = group ? `Group ${name}` : undefined;
  const container = useRef<HTMLDivElement>(null);
  const change = (index: number, part: Part | null): void =>
    onChange({ ...whole, parts: replaced(parts, index, part) });
  const remove = (index: number): void => {
    change(index, null);
    // The button that had the focus is gone.
    container.current?.focus();
  };
  const add = (part: Part): void => onChange({ ...whole, ...withPart(whole, part) });
  const paths = parts.map((part, index) => pathOf(part, path, join, index));
  // If the rule is a single row without negation, the row has the path of the rule, and shows the issues itself.
  const own = workshop.issues.filter(
    (issue) => [path, `${path}.${join}`].includes(issue.path) && !paths.includes(path),
  );
  return (
    <div
      class={group ? "stack framed rule-group" : "stack"}
      ref={container}
      tabIndex={-1}
      role={group ? "group" : undefined}
      aria-label={label}
    >
      {join && (
        <div class="line rule-group-head">
          {group && <Negation of={group} onChange={(isNegated) => onChange({ ...whole, isNegated })} />}
          <JoinPick
            label={label ?? "Contacts must match"}
            value={join}
            onChange={(chosen) => onChange({ ...whole, join: chosen })}
          />
          {onRemove && <SmallButton action="Remove" of={`group ${name}`} sign="✕" onClick={onRemove} />}
        </div>
      )}
      {parts.map((part, index) => {
        const shared = {
          name: group ? `${name}.${index + 1}` : String(index + 1),
          path: paths[index]!,
          workshop,
          onChange: (changed: Part) => change(index, changed),
          onRemove: parts.length > 1 ? () => remove(index) : null,
        };
        return "parts" in part ? (
          <GroupEditor key={index} {...shared} of={part} />
        ) : (
          <RowEditor key={index} {...shared} of={part} />
        );
      })}
      <div class="rule-issues">
        {own.map(({ message }) => (
          <div key={message}>{message}</div>
        ))}
      </div>
      <div class="line">
        <SmallButton action="Add a rule" of={group ? `to group ${name}` : undefined} onClick={() => add(emptyRow)} />
        {!group && (
          <SmallButton
            action="Add a group"
            onClick={() => add({ isNegated: false, join: join === "any" ? "all" : "any", parts: [emptyRow] })}
          />
        )}
      </div>
    </div>
  );
}

/** Chooses whether all rules of a group must be true, or any of them. */
function JoinPick({ label, value, onChange }: { label: string; value: Join; onChange: (join: Join) => void }) {
  return (
    <label class="join">
      {label}
      <select class="input" value={value} onChange={(event) => onChange(event.currentTarget.value as Join)}>
        <option value="all">all of</option>
        <option value="any">any of</option>
      </select>
    </label>
  );
}
