import { capitalized, reference, type Schema, type Schemas } from "./schema.ts";

/**
 * Names the objects within schemas by their places: `StoredEvent` for the items of `StoredEvents`, and `ContactExportEvent` for those of
 * the field `events` of `ContactExport`. Each generator would invent other names.
 */
export function withNamedShapes(schemas: Schemas): Schemas {
  const shapes: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(schemas)) shapes[name] = withNamedParts(name, schema);
  return shapes;

  function withNamedParts(name: string, schema: Schema): Schema {
    const { items, properties } = schema as { items?: Schema; properties?: Schemas };
    if (items) return { ...schema, items: named(name.replace(/ies$/, "y").replace(/s$/, ""), items) };
    if (!properties) return schema;
    const fields = Object.entries(properties).map(([field, part]) => [field, named(name + capitalized(field), part)]);
    return { ...schema, properties: Object.fromEntries(fields) };
  }

  /** A reference to the shape; schemas of other types stay where they are. */
  function named(name: string, schema: Schema): Schema {
    const shape = withNamedParts(name, schema);
    if (!("properties" in shape)) return shape;
    shapes[name] = shape;
    return reference(name);
  }
}
