import { optional, Struct } from "superstruct";
import { attributeDefinition, defineAttribute, listAttributes } from "./attributes.ts";
import { TrackerError } from "./errors.ts";
import type { Scope } from "./scope.ts";
import type { Definitions } from "./types.ts";
import { parse, shape } from "./validation.ts";

/** Makes the definitions; what the workspace already defines otherwise refuses the whole of them before anything is made. */
export async function provision(scope: Scope, input: unknown): Promise<void> {
  const { attributes = [] } = parse(input, definitions);
  const types = new Map((await listAttributes(scope)).map(({ key, type }) => [key, type]));
  for (const { key, type } of attributes) {
    if ((types.get(key) ?? type) !== type) throw new TrackerError("attribute_conflict");
    types.set(key, type);
  }
  for (const attribute of attributes) await defineAttribute(scope, attribute);
}

function listOf<T>(type: string, item: Struct<T, null>): Struct<T[], null> {
  return new Struct<T[], null>({
    type,
    schema: null,
    // Array.from, for a hole in an array is an entry that is missing.
    coercer: (value, context) =>
      Array.isArray(value) ? Array.from(value as unknown[], (entry) => item.coercer(entry, context)) : value,
    validator(value, context) {
      if (!Array.isArray(value)) return { message: value === null ? "not_allowed_null" : "wrong_type" };
      return value.flatMap((entry: unknown, index) =>
        [...item.validator(entry, context)].map(({ path, message }) => ({ path: [String(index), ...path], message })),
      );
    },
  });
}

export const definitions: Struct<Definitions, null> = shape<Definitions>("Definitions", {
  attributes: optional(listOf("attributes", attributeDefinition)),
});
