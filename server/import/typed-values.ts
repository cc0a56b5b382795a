import { contactFieldNames, contactFields } from "../../lib/model/contact-fields.ts";
import type { Scope } from "../../lib/scope.ts";
import type { AttributeType } from "../../lib/model/types.ts";
import type { Mapped } from "./mapping.ts";
import { valueOf } from "./values.ts";

/** The types by which rows are read: those of attributes and of properties. */
export interface Types {
  attributes: ReadonlyMap<string, AttributeType>;
  /** By event key and property. */
  properties: ReadonlyMap<string, Readonly<Record<string, AttributeType>>>;
}

export async function findTypes({ storage, workspace }: Scope): Promise<Types> {
  const attributes = await storage.listDefinitions(workspace, "attribute", { maxAgeMs: 0 });
  const eventTypes = await storage.listDefinitions(workspace, "event", { maxAgeMs: 0 });
  return {
    attributes: new Map(attributes.map(({ key, body }) => [key, body.type])),
    properties: new Map(eventTypes.map(({ key, body }) => [key, withoutMarks(body.properties ?? {})])),
  };
}

function withoutMarks(properties: Readonly<Record<string, string>>): Record<string, AttributeType> {
  const entries = Object.entries(properties).map(([name, type]) => [name, type.replace("?", "")]);
  return Object.fromEntries(entries) as Record<string, AttributeType>;
}

const texts = [
  "email",
  "externalId",
  "eventKey",
  ...contactFieldNames.filter((name) => contactFields[name].kind !== "time"),
];

/** Reads the item's values as the types that are defined. `leavesUndefined` leaves out attributes without a definition. */
export function readByDefinition({ item, leftOut }: Mapped, types: Types, leavesUndefined: boolean): void {
  for (const name of texts) if (name in item) item[name] = valueOf(item[name], "text");
  for (const [name, value] of entriesOf(item["customAttributes"])) {
    const values = item["customAttributes"] as Record<string, unknown>;
    values[name] = valueOf(value, types.attributes.get(name));
    if (leavesUndefined && !types.attributes.has(name)) {
      delete values[name];
      leftOut.push(`customAttributes.${name}`);
    }
  }
  const declared = types.properties.get(String(item["eventKey"])) ?? {};
  for (const [name, value] of entriesOf(item["properties"])) {
    const type = Object.hasOwn(declared, name) ? declared[name] : undefined;
    (item["properties"] as Record<string, unknown>)[name] = valueOf(value, type);
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
