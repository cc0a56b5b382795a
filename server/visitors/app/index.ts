import { WhodidChecklist } from "./checklist.ts";

export type { WhodidChecklist, WhodidCompletion } from "./checklist.ts";
export type { ChecklistAttributes } from "./elements.ts";
export type { Token } from "./requests.ts";
export { createVisitor, type Visitor } from "./visitor.ts";

// A server that renders pages has no custom elements. A page may load two copies of this module.
if (globalThis.customElements && !customElements.get("whodid-checklist")) {
  customElements.define("whodid-checklist", WhodidChecklist);
}
