export { attributesIn, definedBy, findDefinedAttributes } from "./attributes.ts";
export { endSubscription } from "./subscriptions.ts";
export { createDefinitions } from "./cached.ts";
export {
  listDefinitions,
  listSubscriptions,
  readDefinitions,
  type Checklists,
  type Defined,
  type ListDefinitions,
} from "./lists.ts";
