import type { AudienceDefinition, Rule } from "../../../../../lib/model/types.ts";
import { emptyRow } from "../../rules/draft.ts";
import { parseJson, toJson } from "../../rules/json.ts";

/** The draft of an audience. `text` is its rule as JSON. */
export interface AudienceDraft {
  key: string;
  name: string;
  text: string;
  /** Whether the contacts that a changed rule lets enter and leave are announced. */
  announce: boolean;
}

/** The draft of a new audience. */
export const blank: AudienceDraft = { key: "", name: "", text: toJson(emptyRow.rule), announce: false };

/** `linked` is the rule of a new audience, as JSON; empty for `blank`. */
export function draftOf(audience: AudienceDefinition | null, linked: string): AudienceDraft {
  if (!audience && linked !== "") return { ...blank, text: indented(linked) };
  return audience ? { key: audience.key, name: audience.name, text: toJson(audience.rule), announce: false } : blank;
}

/** The text as it is if it is not JSON: the page says what is wrong with it. */
function indented(text: string): string {
  const { rule, problem } = parseJson(text);
  return problem === null ? toJson(rule) : text;
}

/** Throws if the text is not JSON. */
export function definitionOf({ key, name, text }: AudienceDraft): AudienceDefinition {
  return { key, name, rule: JSON.parse(text) as Rule };
}
