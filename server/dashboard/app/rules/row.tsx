import { useId } from "preact/hooks";
import type { Issue } from "../../../../lib/model/errors.ts";
import { SmallButton } from "../kit/index.ts";
import { fromPlainRow, toPlainRow, type Part, type Row } from "./draft.ts";
import type { EditingOf, Workshop } from "./inputs.tsx";
import { RuleInputs, SubjectPick } from "./rule-inputs.tsx";
import type { SimpleDraft } from "./simple-drafts.ts";

export interface PartProps<Of> {
  of: Of;
  name: string;
  /** Its path in the issues of the server. */
  path: string;
  workshop: Workshop;
  onChange: (part: Of) => void;
  /** `null` if it is the only part. */
  onRemove: (() => void) | null;
}

/** One simple rule: whether it is negated, what it is about, and its inputs. Shows "has not done" as a negated "has done". */
export function RowEditor({ of: stored, name, path, workshop, onChange: store, onRemove }: PartProps<Row>) {
  const told = useId();
  const row = toPlainRow(stored);
  const onChange = (changed: Row): void => store(fromPlainRow(changed));
  const issues = issuesUnder(workshop.issues, path);
  const change = (rule: SimpleDraft): void => onChange({ ...row, rule });
  const editing: EditingOf = (field, label) => ({
    label,
    value: row.rule[field],
    aria: { "aria-invalid": issuesUnder(issues, `${path}.${field}`).length > 0, "aria-describedby": told },
    onChange: (value) => change({ ...row.rule, [field]: value }),
  });
  return (
    <div class="framed rule-row" role="group" aria-label={`Rule ${name}`}>
      <div class="line rule-inputs">
        <Negation of={row} onChange={(isNegated) => onChange({ ...row, isNegated })} />
        <SubjectPick {...{ rule: row.rule, workshop, onChange: change }} />
        <RuleInputs {...{ rule: row.rule, editing, workshop, onChange: change }} />
      </div>
      {onRemove && <SmallButton action="Remove" of={`rule ${name}`} sign="✕" onClick={onRemove} />}
      <div id={told} class="rule-issues">
        {issues.map(({ path: at, message }) => (
          <div key={at + message}>
            <code>{at.slice(path.length + 1)}</code> {message}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The issues of a part, and of the fields and parts in it. */
export function issuesUnder(issues: readonly Issue[], path: string): Issue[] {
  return issues.filter((issue) => issue.path === path || issue.path.startsWith(`${path}.`));
}

interface NegationProps {
  of: Part;
  onChange: (isNegated: boolean) => void;
}

export function Negation({ of: { isNegated }, onChange }: NegationProps) {
  return (
    <label class="negation">
      <input type="checkbox" checked={isNegated} onChange={(event) => onChange(event.currentTarget.checked)} />
      not
    </label>
  );
}
