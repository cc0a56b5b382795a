import { defineAttribute, listAttributes } from "./attributes.ts";
import { definitionsStruct } from "./input/structs.ts";
import { defineAudience } from "./audiences.ts";
import { defineChecklist } from "./checklists.ts";
import { defineEventType } from "./event-types.ts";
import { attributeConflict } from "./decisions/definitions.ts";
import { errorOf } from "./refusals.ts";
import type { Scope } from "./scope.ts";
import { parse } from "./input/shapes.ts";

/** Stores all definitions. Refuses all of them before the first write if an attribute exists with another type. */
export async function provision(scope: Scope, input: unknown): Promise<void> {
  const { events = [], attributes = [], audiences = [], checklists = [] } = parse(input, definitionsStruct);
  const types = new Map((await listAttributes(scope)).map(({ key, type }) => [key, type]));
  for (const { key, type } of attributes) {
    const defined = types.get(key) ?? type;
    if (defined !== type) throw errorOf(attributeConflict(key, defined));
    types.set(key, type);
  }
  for (const event of events) await defineEventType(scope, event);
  for (const attribute of attributes) await defineAttribute(scope, attribute);
  for (const checklist of checklists) await defineChecklist(scope, checklist);
  for (const audience of audiences) await defineAudience(scope, audience);
}
