import type { NamedDefinitions } from "../../lib/decisions/conditions.ts";
import type { ExplainedContact } from "../../lib/decisions/explanations.ts";
import type { ContactRow, EventSummary } from "../../lib/storage/rows.ts";

/** A contact without any value that can be left out. */
const ada: ContactRow = {
  workspace: "default",
  id: "id-ada",
  email: "ada@example.com",
  externalId: null,
  name: null,
  phone: null,
  avatarUrl: null,
  role: null,
  plan: null,
  signedUpAt: null,
  attributes: {},
  createdAt: 0,
  updatedAt: 0,
};
/** No attributes and no checklists are defined. */
export const none: NamedDefinitions = { attributes: new Map(), checklists: new Map() };

/** A contact without values, with these summaries. */
export function contactWith(...summaries: EventSummary[]): ExplainedContact {
  return {
    row: ada,
    summaries: new Map(summaries.map((summary) => [summary.eventKey, summary])),
    completions: [],
    countEvents: () => 0,
    summarize: () => null,
  };
}
