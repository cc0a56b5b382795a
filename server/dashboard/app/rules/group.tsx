import { useRef } from "preact/hooks";
import type { Issue } from "../../../../lib/model/errors.ts";
import { SmallButton } from "../kit/index.ts";
import { emptyRow, pathOf, replaced, type Group, type Join } from "./draft.ts";
import { Negation, RowEditor, type PartProps } from "./row.tsx";

/** A group inside the rule, with its rows. */
export function GroupEditor({ of: group, name, path, workshop, onChange, onRemove }: PartProps<Group>) {
  const { join, rows } = group;
  const container = useRef<HTMLDivElement>(null);
  const remove = (index: number): void => {
    onChange({ ...group, rows: replaced(rows, index, null) });
    container.current?.focus();
  };
  const own = workshop.issues.filter((issue) => [path, `${path}.${join}`].includes(issue.path));
  return (
    <div class="rule-group" ref={container} tabIndex={-1} role="group" aria-label={`Group ${name}`}>
      <div class="line rule-group-head">
        <Negation of={group} onChange={onChange} />
        <JoinPick label={`Group ${name}`} value={join} onChange={(chosen) => onChange({ ...group, join: chosen })} />
        {onRemove && <SmallButton action="Remove" of={`group ${name}`} sign="✕" onClick={onRemove} />}
      </div>
      {rows.map((row, index) => (
        <RowEditor
          key={index}
          of={row}
          name={`${name}.${index + 1}`}
          path={pathOf(row, path, join, index)}
          workshop={workshop}
          onChange={(changed) => onChange({ ...group, rows: replaced(rows, index, changed) })}
          onRemove={rows.length > 1 ? () => remove(index) : null}
        />
      ))}
      <Messages of={own} />
      <SmallButton
        action="Add a rule"
        of={`to group ${name}`}
        onClick={() => onChange({ ...group, rows: [...rows, emptyRow] })}
      />
    </div>
  );
}

/** Chooses whether all rules of a group must be true, or any of them. */
export function JoinPick({ label, value, onChange }: { label: string; value: Join; onChange: (join: Join) => void }) {
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

/** Shows the server's issues with the group itself. */
export function Messages({ of: issues }: { of: readonly Issue[] }) {
  return (
    <div class="rule-issues">
      {issues.map(({ message }) => (
        <div key={message}>{message}</div>
      ))}
    </div>
  );
}
