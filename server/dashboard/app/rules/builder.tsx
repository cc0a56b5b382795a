import { useId } from "preact/hooks";
import type { Issue } from "../../../../lib/errors.ts";
import { emptyRow, pathOf, replaced, withPart, type Draft, type Group, type Join } from "./draft.ts";
import { Negation, RowEditor, type Workshop } from "./row.tsx";
import type { Catalogue } from "./subjects.ts";

/** Rows and groups that make a rule. */
export function Builder({
  draft,
  catalogue,
  issues,
  onChange,
}: {
  draft: Draft;
  catalogue: Catalogue;
  issues: readonly Issue[];
  onChange: (draft: Draft) => void;
}) {
  const eventKeysId = useId();
  const workshop = { catalogue, issues, eventKeysId };
  const { join, parts } = draft;
  const own = join === null ? [] : issues.filter(({ path }) => ["rule", `rule.${join}`].includes(path));
  const change = (index: number, part: Draft["parts"][number] | null): void =>
    onChange({ ...draft, parts: replaced(parts, index, part) });
  return (
    <div class="builder">
      {join && (
        <JoinPick
          label="Contacts must match"
          value={join}
          onChange={(chosen) => onChange({ ...draft, join: chosen })}
        />
      )}
      {parts.map((part, index) => {
        const shared = {
          name: String(index + 1),
          path: pathOf(part, "rule", join, index),
          workshop,
          onRemove: parts.length > 1 ? () => change(index, null) : null,
        };
        return "rows" in part ? (
          <GroupEditor key={index} {...shared} group={part} onChange={(changed) => change(index, changed)} />
        ) : (
          <RowEditor key={index} {...shared} row={part} onChange={(changed) => change(index, changed)} />
        );
      })}
      <Messages of={own} />
      <div class="actions">
        <button type="button" class="button small" onClick={() => onChange(withPart(draft, emptyRow))}>
          Add a rule
        </button>
        <button
          type="button"
          class="button small"
          onClick={() =>
            onChange(withPart(draft, { isNegated: false, join: join === "any" ? "all" : "any", rows: [emptyRow] }))
          }
        >
          Add a group
        </button>
      </div>
      <datalist id={eventKeysId}>
        {catalogue.eventKeys.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
    </div>
  );
}

function GroupEditor({
  group,
  name,
  path,
  workshop,
  onChange,
  onRemove,
}: {
  group: Group;
  name: string;
  path: string;
  workshop: Workshop;
  onChange: (group: Group) => void;
  onRemove: (() => void) | null;
}) {
  const { join, rows } = group;
  const own = workshop.issues.filter((issue) => [path, `${path}.${join}`].includes(issue.path));
  return (
    <div class="rule-group" role="group" aria-label={`Group ${name}`}>
      <div class="rule-group-head">
        <Negation of={group} onChange={onChange} />
        <JoinPick
          label={`Group ${name} matches`}
          value={join}
          onChange={(chosen) => onChange({ ...group, join: chosen })}
        />
        {onRemove && (
          <button type="button" class="button small" aria-label={`Remove group ${name}`} onClick={onRemove}>
            ✕
          </button>
        )}
      </div>
      {rows.map((row, index) => (
        <RowEditor
          key={index}
          row={row}
          name={`${name}.${index + 1}`}
          path={pathOf(row, path, join, index)}
          workshop={workshop}
          onChange={(changed) => onChange({ ...group, rows: replaced(rows, index, changed) })}
          onRemove={rows.length > 1 ? () => onChange({ ...group, rows: replaced(rows, index, null) }) : null}
        />
      ))}
      <Messages of={own} />
      <button
        type="button"
        class="button small"
        aria-label={`Add a rule to group ${name}`}
        onClick={() => onChange({ ...group, rows: [...rows, emptyRow] })}
      >
        Add a rule
      </button>
    </div>
  );
}

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

function Messages({ of: issues }: { of: readonly Issue[] }) {
  return (
    <div class="rule-issues">
      {issues.map(({ message }) => (
        <div key={message}>{message}</div>
      ))}
    </div>
  );
}
