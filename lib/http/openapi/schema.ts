/** A schema as OpenAPI 3.1 takes it: JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** The schemas that routes name, and those of their parts. */
export type Schemas<Name extends string = string> = Readonly<Record<Name, Schema> & Record<string, Schema>>;

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

export function nullable({ type, ...rest }: Schema): Schema {
  return { type: [type, "null"].flat(), ...rest };
}

/** The keyword with which an object refuses unknown fields, as requests do. */
export const closed: Schema = { additionalProperties: false };
export const id: Schema = { type: "string", format: "uuid", description: "UUIDv7." };
export const time: Schema = { type: "string", format: "date-time", description: "ISO 8601 in UTC, with milliseconds." };
export const count: Schema = { type: "integer", format: "int64", minimum: 0 };
export function list(items: Schema, details: Schema = {}): Schema {
  return { type: "array", items, ...details };
}

/** `listContacts` becomes `ListContacts`. */
export function capitalized(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}
