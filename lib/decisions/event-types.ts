/** Decides whether the event types accept an event: pure functions over rows. A storage calls them before it records the event. */
import { issue, TrackerError, type Issue } from "../model/errors.ts";
import { issuesMax } from "../model/limits.ts";
import type { EventDraft, EventTypeRow, Refused } from "../storage/rows.ts";
import type { Scalar } from "../model/types.ts";
import { formatTime } from "../model/times.ts";
import { valueTypes, type PropertyType, type ScalarType } from "../model/declarations.ts";

/**
 * The refusal of an event that does not fit the event types of its workspace, or that happened before the time of
 * `markPruned`; `null` if the event is accepted.
 */
export function refusalOfEvent(
  types: readonly EventTypeRow[],
  prunedBefore: number | null,
  draft: Pick<EventDraft, "eventKey" | "properties" | "mustBeDefined" | "createdAt" | "recordedAt">,
): Refused | null {
  const ofType = issuesOfType(types, draft);
  const ofTime = issuesOfTime(prunedBefore, draft);
  if (ofType.length + ofTime.length === 0) return null;
  return { refused: { code: "invalid_input", issues: [...ofType, ...ofTime] } };
}

/** Whether the event happened before it was recorded, and so may be older than what is kept. */
export function isOfThePast({ createdAt, recordedAt }: Pick<EventDraft, "createdAt" | "recordedAt">): boolean {
  return createdAt < recordedAt;
}

function issuesOfTime(
  prunedBefore: number | null,
  draft: Pick<EventDraft, "createdAt" | "recordedAt">,
): readonly Issue[] {
  if (prunedBefore === null || draft.createdAt >= prunedBefore || !isOfThePast(draft)) return [];
  return [issue("createdAt", "out_of_range", `Events are kept from ${formatTime(prunedBefore)} on.`)];
}

function issuesOfType(
  types: readonly EventTypeRow[],
  { eventKey, properties, mustBeDefined }: Pick<EventDraft, "eventKey" | "properties" | "mustBeDefined">,
): readonly Issue[] {
  const type = types.find(({ key }) => key === eventKey);
  if (!type) return mustBeDefined ? [issue("eventKey", "event_not_defined")] : [];
  const declared = type.body.properties;
  return declared ? issuesOf(JSON.parse(properties) as Record<string, Scalar>, declared) : [];
}

function issuesOf(sent: Readonly<Record<string, Scalar>>, declared: Readonly<Record<string, PropertyType>>): Issue[] {
  const issues: Issue[] = [];
  for (const [key, propertyType] of Object.entries(declared)) {
    if (issues.length >= issuesMax) break;
    const path = `properties.${key}`;
    if (Object.hasOwn(sent, key)) {
      const type = propertyType.replace("?", "") as ScalarType;
      if (!Object.hasOwn(valueTypes, type)) throw new TrackerError("definition_unknown");
      const { name, words } = valueTypes[type];
      if (typeof sent[key] !== name) issues.push(issue(path, "wrong_type", `Must be ${words}.`));
    } else if (!propertyType.endsWith("?")) issues.push(issue(path, "required"));
  }
  for (const key of Object.keys(sent)) {
    if (issues.length >= issuesMax) break;
    if (!Object.hasOwn(declared, key)) issues.push(issue(`properties.${key}`, "unknown_field"));
  }
  return issues;
}
