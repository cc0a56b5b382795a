import { issue, TrackerError } from "../../../../../lib/model/errors.ts";
import type { ScalarType } from "../../../../../lib/model/declarations.ts";
import type { EventTypeDefinition, PropertyType } from "../../../../../lib/model/types.ts";

/** An event type as one types it. */
export interface TypeDraft {
  key: string;
  name: string;
  /** Whether events may have any properties, or only those that are listed. */
  held: "any" | "listed";
  properties: readonly PropertyDraft[];
}

export interface PropertyDraft {
  /** Tells the rows apart. */
  id: number;
  key: string;
  type: ScalarType;
  isOptional: boolean;
}

let rows = 0;

export function newProperty(): PropertyDraft {
  return { id: rows++, key: "", type: "text", isOptional: false };
}

export function draftOf(eventKey: string | null, type: EventTypeDefinition | null): TypeDraft {
  const properties = Object.entries(type?.properties ?? {}).map(([key, declared]) => ({
    ...newProperty(),
    key,
    type: declared.replace("?", "") as ScalarType,
    isOptional: declared.endsWith("?"),
  }));
  return { key: eventKey ?? "", name: type?.name ?? "", held: type?.properties ? "listed" : "any", properties };
}

/** Throws `invalid_input` if a property has no key, or if two have the same key: one of them would be lost. */
export function definitionOf({ key, name, held, properties }: TypeDraft): EventTypeDefinition {
  const named = { key, name: name || null };
  if (held === "any") return named;
  const keys = properties.map((property) => property.key);
  const issues = properties.flatMap((property, index) => {
    if (property.key === "") return issue(pathOf(property), "required", "Give it a key, or remove it.");
    return keys.indexOf(property.key) < index ? issue(pathOf(property), "repeated_key") : [];
  });
  if (issues.length > 0) throw new TrackerError("invalid_input", { issues });
  const declared = properties.map((property): [string, PropertyType] => [
    property.key,
    property.isOptional ? `${property.type}?` : property.type,
  ]);
  return { ...named, properties: Object.fromEntries(declared) };
}

/** The path of the property in the definition. */
export function pathOf({ key }: PropertyDraft): string {
  return `properties.${key}`;
}
