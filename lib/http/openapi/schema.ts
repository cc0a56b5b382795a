import { keyMaxBytes, propertiesPerEventMax, valueMaxBytes } from "../../model/limits.ts";

/** A schema as OpenAPI 3.1 takes it: JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** A schema of the document's components. */
export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object schema with these properties. A name that ends in `?` marks an optional property. */
export function object(properties: Record<string, Schema>, details: Schema = {}): Schema {
  const entries = Object.entries(properties);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace("?", ""), schema])),
    required: entries.map(([name]) => name).filter((name) => !name.endsWith("?")),
    ...details,
  };
}

/** `maxLength` counts characters, our limits bytes. A character takes at least one byte, so no valid text is too long. */
export function text(maxBytes: number, details: Schema = {}): Schema {
  return { type: "string", maxLength: maxBytes, description: `At most ${maxBytes} bytes of UTF-8.`, ...details };
}

export function nullable({ type, ...rest }: Schema): Schema {
  return { type: [type, "null"], ...rest };
}

/** The keyword with which an object refuses unknown fields, as requests do. */
export const closed: Schema = { additionalProperties: false };
export const id: Schema = { type: "string", format: "uuid", description: "UUIDv7." };
export const time: Schema = { type: "string", format: "date-time", description: "ISO 8601 in UTC, with milliseconds." };
export const count: Schema = { type: "integer", minimum: 0 };
export const scalar: { type: string[]; maxLength: number } = {
  type: ["string", "number", "boolean"],
  maxLength: valueMaxBytes,
};

/** The keywords of every object of custom attributes or event properties. */
export const keys: Schema = { propertyNames: { maxLength: keyMaxBytes } };

/** The properties of an event. */
export const properties: Schema = {
  type: "object",
  ...keys,
  additionalProperties: scalar,
  maxProperties: propertiesPerEventMax,
  description: "Flat.",
};

export function list(items: Schema, details: Schema = {}): Schema {
  return { type: "array", items, ...details };
}
