import { simpleRules } from "../model/rules.ts";
import { shownValue } from "../model/attribute-values.ts";
import { formatTime } from "../model/times.ts";
import type { Explanation, Rule, SimpleRule } from "../model/types.ts";
import type { EventSummary, OccurrenceTest } from "../storage/rows.ts";
import { countCompleted } from "./completions.ts";
import { conditionOf, holds, occurrenceTestOf, type ContactData, type NamedDefinitions } from "./conditions.ts";
import { fieldOf } from "./value-tests.ts";

/** The data of a contact whose result is explained. */
export interface ExplainedContact extends ContactData {
  /** The summary of the events that the test counts; `null` if there are none. */
  summarize(test: OccurrenceTest): EventSummary | null;
}

export function explain(
  rule: Rule,
  contact: ExplainedContact,
  definitions: NamedDefinitions,
  now: number,
): Explanation {
  const isTrue = (part: Rule): boolean => holds(conditionOf(part, now, definitions), contact);
  const because = simpleRules(rule).map((part) => ({
    rule: structuredClone(part),
    match: isTrue(part),
    observed: observe(part, contact, definitions, now),
  }));
  return { match: isTrue(rule), because };
}

type Observed = Explanation["because"][number]["observed"];

function observe(
  rule: SimpleRule,
  contact: ExplainedContact,
  { attributes, checklists }: NamedDefinitions,
  now: number,
): Observed {
  switch (rule.kind) {
    case "field": {
      const value = fieldOf(contact.row, rule.field);
      return value === null ? null : { value: typeof value === "number" ? formatTime(value) : value };
    }
    case "attribute": {
      const attribute = attributes.get(rule.key);
      const value = attribute && contact.row.attributes[attribute.id];
      return value === undefined ? null : { value: shownValue(value, attribute!.body.type) };
    }
    case "checklist_completed": {
      const checklist = checklists.get(rule.checklistKey);
      const counts = new Map(Array.from(contact.summaries, ([eventKey, { count }]) => [eventKey, count]));
      return checklist ? countCompleted(checklist, { counts, completions: contact.completions }) : null;
    }
    default: {
      const test = occurrenceTestOf(rule, now);
      const summary = test ? contact.summarize(test) : contact.summaries.get(rule.eventKey);
      if (!summary) return null;
      const { count, firstAt, lastAt } = summary;
      return { count, firstAt: formatTime(firstAt), lastAt: formatTime(lastAt) };
    }
  }
}
