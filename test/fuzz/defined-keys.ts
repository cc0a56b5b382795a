import type { Definitions } from "../../lib/index.ts";

export const defined: Definitions = {
  attributes: [
    { key: "label", type: "text" },
    { key: "amount", type: "number" },
    { key: "trial", type: "boolean" },
  ],
  audiences: [{ key: "all", name: "All", rule: { kind: "field", field: "email", operator: "is_set", value: true } }],
  checklists: [{ key: "tour", name: "Tour", items: [{ key: "look", name: "Look" }] }],
};
export const externalId = "u_1";

interface Schema {
  type?: string | string[];
  enum?: string[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
}

/** The key of the attribute that has values of a JSON type. */
const keysOfTypes: Readonly<Record<string, string>> = { string: "label", number: "amount", boolean: "trial" };

/** A copy of the OpenAPI document in which rules and subscriptions name only what `defined` has, and no page is the next one of another. */
export function withDefinedKeys(document: object): object {
  const copy = JSON.parse(JSON.stringify(document)) as { components: { schemas: Record<string, Schema> } };
  const { AttributeRule, ChecklistCompletedRule, SubscriptionInputOn, RuleOfContact, Preview } =
    copy.components.schemas;
  delete Preview!.properties!["cursor"];
  AttributeRule!.anyOf = AttributeRule!.anyOf!.flatMap(ofOneType);
  ChecklistCompletedRule!.properties!["checklistKey"] = named("tour");
  SubscriptionInputOn!.properties!["audiences"]!.items = named("all");
  RuleOfContact!.properties!["externalId"] = named(externalId);
  return copy;
}

/** A rule for each type of its value, about the attribute of this type. */
function ofOneType(rule: Schema): Schema[] {
  const value = rule.properties!["value"]!;
  return [(value.items ?? value).type!].flat().map((type) => ({
    ...rule,
    properties: {
      ...rule.properties,
      key: named(keysOfTypes[type]!),
      value: value.items ? { ...value, items: { ...value.items, type } } : { ...value, type },
    },
  }));
}

function named(name: string): Schema {
  return { type: "string", enum: [name] };
}
