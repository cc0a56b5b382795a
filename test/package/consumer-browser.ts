/** A page of a bundler's project. Its modules can be loaded without a browser, as a server that renders pages does. */
import { createVisitor, type Visitor, type WhodidChecklist } from "whodid/browser";

export const start = (): { visitor: Visitor; element: WhodidChecklist } => {
  const element = document.createElement("whodid-checklist");
  element.addEventListener("whodid-complete", ({ detail }) => console.log(detail.itemKey, detail.progress.completed));
  element.addEventListener("whodid-dismiss", ({ detail }) => console.log(detail.checklistKey));
  const visitor = createVisitor({ src: "/me" });
  visitor.track("page_viewed", { path: location.pathname });
  void element.refresh();
  return { visitor, element };
};
console.log("whodid/browser");
