/** What event types ask of an event: pure functions over rows. A storage calls them before it records the event. */
import { issue, type Issue } from "../errors.ts";
import type { EventDraft, EventTypeRow, Refused } from "../storage/rows.ts";
import type { AttributeType, Scalar } from "../types.ts";
import { valueTypes, type PropertyType } from "../declarations.ts";

/** The refusal of the event by the event types of its workspace; `null` if they accept it. */
export function refusalOfEvent(
  types: readonly EventTypeRow[],
  { eventKey, properties, mustBeDefined }: Pick<EventDraft, "eventKey" | "properties" | "mustBeDefined">,
): Refused | null {
  const type = types.find(({ key }) => key === eventKey);
  if (!type) return mustBeDefined ? refused([issue("eventKey", "event_not_defined")]) : null;
  const declared = type.body.properties;
  if (!declared) return null;
  const issues = issuesOf(JSON.parse(properties) as Record<string, Scalar>, declared);
  return issues.length > 0 ? refused(issues) : null;
}

function refused(issues: readonly Issue[]): Refused {
  return { refused: { code: "invalid_input", issues } };
}

function issuesOf(sent: Readonly<Record<string, Scalar>>, declared: Readonly<Record<string, PropertyType>>): Issue[] {
  const issues: Issue[] = [];
  for (const [key, propertyType] of Object.entries(declared)) {
    const path = `properties.${key}`;
    if (Object.hasOwn(sent, key)) {
      const { name, words } = valueTypes[propertyType.replace("?", "") as AttributeType];
      if (typeof sent[key] !== name) issues.push(issue(path, "wrong_type", `Must be ${words}.`));
    } else if (!propertyType.endsWith("?")) issues.push(issue(path, "required"));
  }
  for (const key of Object.keys(sent)) {
    if (!Object.hasOwn(declared, key)) issues.push(issue(`properties.${key}`, "unknown_field"));
  }
  return issues;
}
