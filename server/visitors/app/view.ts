import type { ChecklistProgress } from "../../../lib/model/types.ts";
import { textOf, type TextName } from "./texts.ts";

/** The actions of a visitor on a checklist. */
export interface Deeds {
  toggle(): void;
  complete(itemKey: string): Promise<void>;
  dismiss(): Promise<void>;
  undo(): Promise<void>;
}

type Child = Node | string | null;

/** An element with attributes and children. `part` also names its class, for our own styles. */
function h(tag: string, attributes: Record<string, string>, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (attributes["part"]) element.className = attributes["part"];
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** The view of a checklist, or the button that it collapses to. */
export function viewOf(
  checklist: ChecklistProgress,
  element: Element,
  isCollapsed: boolean,
  deeds: Deeds,
): HTMLElement {
  const { name, description, progress, items } = checklist;
  const { completed: done, total } = progress;
  const text = (of: TextName): string => textOf(element, of, { done, total, left: total - done });
  const toggle = (part: string, isExpanded: boolean, ...children: Child[]): HTMLElement =>
    buttonOf({ id: "toggle", part, "aria-expanded": String(isExpanded) }, deeds.toggle, ...children);
  if (isCollapsed)
    return toggle("collapsed", false, h("span", {}, name), " ", h("span", { part: "left" }, text("left")));
  const isFinished = done === total;
  const next = items.find(({ completed }) => !completed);
  return h(
    "section",
    { part: "checklist", "aria-labelledby": "name" },
    h(
      "header",
      { part: "header" },
      h("h2", { part: "name", id: "name" }, name),
      h(
        "div",
        {},
        toggle("collapse", true, text("collapse")),
        buttonOf({ id: "dismiss", part: "dismiss" }, deeds.dismiss, text("dismiss")),
      ),
    ),
    description && h("p", { part: "description" }, description),
    h("progress", { part: "bar", max: String(total), value: String(done), "aria-label": text("progress") }),
    h("p", { part: isFinished ? "finished" : "progress" }, text(isFinished ? "finished" : "progress")),
    h("ul", { part: "items" }, ...items.map((item) => itemOf(item, item === next, text, deeds))),
  );
}

/** The view of a checklist that was dismissed just now. */
export function undoOf({ name }: ChecklistProgress, element: Element, { undo }: Deeds): HTMLElement {
  const said = h("span", {}, `${name}: ${textOf(element, "dismissed")}`);
  return h(
    "div",
    { part: "dismissed" },
    said,
    " ",
    buttonOf({ id: "undo", part: "undo" }, undo, textOf(element, "undo")),
  );
}

/** Shows and announces that the action of a button failed, until the next one. */
export function showError(button: HTMLElement | null, element: Element): void {
  button?.after(h("p", { part: "error", role: "alert" }, textOf(element, "error")));
}

type Item = ChecklistProgress["items"][number];

function itemOf(item: Item, isNext: boolean, text: (of: TextName) => string, deeds: Deeds): HTMLElement {
  const { itemKey, name, description, href, automatic, completed } = item;
  const state = completed ? "done" : "open";
  const id = `name-${itemKey}`;
  return h(
    "li",
    {
      part: `item ${state}${isNext ? " next" : ""}`,
      id: `item-${itemKey}`,
      tabindex: "-1",
      ...(isNext && { "aria-current": "step" }),
    },
    h("span", { part: "mark", role: "img", "aria-label": text(state) }, completed ? "✓" : ""),
    h(
      "div",
      {},
      h(
        "div",
        { part: "text" },
        ...(isNext ? [h("span", { part: "next-label" }, text("next")), " "] : []),
        href ? h("a", { part: "item-name", id, href }, name) : h("span", { part: "item-name", id }, name),
        description && h("p", { part: "item-description" }, description),
      ),
      completed || automatic
        ? null
        : buttonOf(
            { id: `complete-${itemKey}`, part: "complete", "aria-describedby": id },
            () => deeds.complete(itemKey),
            text("complete"),
          ),
    ),
  );
}

/** A button that ignores clicks while its action runs. It keeps the focus meanwhile. */
function buttonOf(
  attributes: Record<string, string>,
  deed: () => Promise<void> | void,
  ...children: Child[]
): HTMLElement {
  const button = h("button", { type: "button", ...attributes }, ...children);
  button.addEventListener("click", () => {
    if (button.hasAttribute("aria-disabled")) return;
    button.setAttribute("aria-disabled", "true");
    void Promise.resolve(deed()).finally(() => button.removeAttribute("aria-disabled"));
  });
  return button;
}
