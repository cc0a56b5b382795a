import type { AudienceDefinition } from "../../../../../lib/model/types.ts";
import { emptyRow } from "../../rules/draft.ts";
import { toJson } from "../../rules/json.ts";

/** The draft of an audience. The text is its rule. */
export interface AudienceDraft {
  key: string;
  name: string;
  text: string;
}

/** The draft of a new audience. */
export const blank: AudienceDraft = { key: "", name: "", text: toJson(emptyRow.rule) };

export function draftOf(audience: AudienceDefinition | null): AudienceDraft {
  return audience ? { key: audience.key, name: audience.name, text: toJson(audience.rule) } : blank;
}
