import { isCountRule } from "../../../../lib/model/rules.ts";
import { Options } from "../kit/index.ts";
import { CountedInputs, type RuleProps } from "./counted-inputs.tsx";
import { ValueInput } from "./inputs.tsx";
import { PeriodInputs } from "./period.tsx";
import { subjectGroups, subjectOf, subjectWords, typeOf, withSubject } from "./subjects.ts";
import { TestInputs } from "./test-inputs.tsx";

/** The field that chooses the subject of the rule. */
export function SubjectPick({ rule, workshop: { catalogue }, onChange }: Omit<RuleProps, "editing">) {
  const subject = subjectOf(rule);
  const groups = subjectGroups(catalogue);
  const isListed = groups.some(({ subjects }) => subjects.includes(subject));
  return (
    <select
      class="input"
      aria-label="What the rule is about"
      value={subject}
      onChange={(event) => onChange(withSubject(rule, event.currentTarget.value, catalogue.attributes))}
    >
      {!isListed && <option value={subject}>{subjectWords(subject)}</option>}
      {groups.map(({ title, subjects }) => (
        <optgroup key={title} label={title}>
          <Options of={subjects.map((listed) => [listed, subjectWords(listed)])} />
        </optgroup>
      ))}
    </select>
  );
}

/** The inputs that follow the subject. */
export function RuleInputs({ rule, editing, workshop, onChange }: RuleProps) {
  if (rule.kind === "checklist_completed") return null;
  if (rule.kind === "field" || rule.kind === "attribute")
    return <TestInputs {...{ rule, editing, onChange }} type={typeOf(rule, workshop.catalogue.attributes)} />;
  return (
    <>
      <ValueInput
        form="text"
        {...editing("eventKey", "Event key")}
        suggestionsId={workshop.eventKeysId}
        placeholder="Event key"
      />
      {rule.kind === "count_greater_than" && (
        <span class="line phrase">
          more than <ValueInput form="number" {...editing("count", "Count")} /> times
        </span>
      )}
      {isCountRule(rule) ? (
        <CountedInputs {...{ rule, editing, workshop, onChange }} />
      ) : (
        <PeriodInputs {...editing("period", "Period")} relations={["ago"]} />
      )}
    </>
  );
}
