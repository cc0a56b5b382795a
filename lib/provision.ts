import { optional, type Struct } from "superstruct";
import { attributeDefinition, defineAttribute, listAttributes } from "./attributes.ts";
import { audienceDefinition, defineAudience } from "./audiences.ts";
import { checklistDefinition, defineChecklist } from "./checklists.ts";
import { attributeConflict } from "./definitions.ts";
import type { Scope } from "./scope.ts";
import type { Definitions } from "./types.ts";
import { listOf, parse, shape } from "./validation.ts";

/** Makes the definitions; what the workspace already defines otherwise refuses the whole of them before anything is made. */
export async function provision(scope: Scope, input: unknown): Promise<void> {
  const { attributes = [], audiences = [], checklists = [] } = parse(input, definitions);
  const types = new Map((await listAttributes(scope)).map(({ key, type }) => [key, type]));
  for (const { key, type } of attributes) {
    const defined = types.get(key) ?? type;
    if (defined !== type) throw attributeConflict(key, defined);
    types.set(key, type);
  }
  for (const attribute of attributes) await defineAttribute(scope, attribute);
  for (const audience of audiences) await defineAudience(scope, audience);
  for (const checklist of checklists) await defineChecklist(scope, checklist);
}

export const definitions: Struct<Definitions, null> = shape<Definitions>("Definitions", {
  attributes: optional(listOf("attributes", attributeDefinition)),
  audiences: optional(listOf("audiences", audienceDefinition)),
  checklists: optional(listOf("checklists", checklistDefinition)),
});
