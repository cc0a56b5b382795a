import type { ChecklistProgress, CompletedChecklistItem } from "../../../lib/model/types.ts";
import { checklistsPath, ownHeader } from "../agreed.ts";
import { feedOf, type Feed } from "./feed.ts";
import { doorOf, isProgress, type Door, type Token } from "./requests.ts";
import { sheet } from "./style.ts";
import { textNames, textOf } from "./texts.ts";
import { showError, undoOf, viewOf } from "./view.ts";

const undoMs = 10_000;

/** The detail of `whodid-complete`: an item that was completed while the page was open. */
export type WhodidCompletion = Pick<CompletedChecklistItem, "checklistKey" | "itemKey" | "name" | "progress">;

// A server that renders pages imports this module too.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * `<whodid-checklist src="/me" checklist="onboarding">` shows the visitor's progress through a checklist: the first one if
 * `checklist` is left out. After a dismissal it offers an undo for 10 s, and as long as the undo has the focus. Then it shows
 * nothing. Until it has loaded, and after an error, it shows its own content. Fires `whodid-complete` for each item and
 * `whodid-dismiss`.
 */
export class WhodidChecklist extends Base {
  static observedAttributes: string[] = ["src", "token", "checklist", "collapsed", ...textNames];

  #feed: Feed | undefined;
  #token: Token | undefined;
  #shown: ChecklistProgress | null = null;
  /** The key of the checklist that was dismissed here just now. */
  #undoable: string | undefined;
  #undoTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #slot: HTMLSlotElement = document.createElement("slot");
  readonly #view: HTMLDivElement = document.createElement("div");
  /** A live region is announced only if it stays while its text changes. */
  readonly #status: HTMLParagraphElement = document.createElement("p");
  readonly #receive = (items: readonly ChecklistProgress[] | null): boolean => this.#show(this.#find(items));

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet()];
    this.#status.setAttribute("role", "status");
    this.#status.className = "unseen";
    root.append(this.#slot, this.#view, this.#status);
    // A page may have set it before this module ran.
    if (!Object.hasOwn(this, "token")) return;
    const given = this.token;
    Reflect.deleteProperty(this, "token");
    this.#token = given;
  }

  /** Tells the visitor to a host without a session: the attribute, or the text or function that is set here. */
  get token(): Token | undefined {
    return this.#token ?? this.getAttribute("token") ?? undefined;
  }

  set token(token: Token | undefined) {
    this.#token = token;
    if (this.#feed) this.connectedCallback();
  }

  get #door(): Door {
    return doorOf(this.getAttribute("src"), this.token);
  }

  connectedCallback(): void {
    const feed = feedOf(this.#door);
    // A fresh token of the same visitor changes nothing that is shown.
    if (feed === this.#feed) return void feed.refresh();
    if (this.#feed) this.#show(null);
    this.disconnectedCallback();
    this.#feed = feed;
    feed.subscribe(this.#receive);
  }

  disconnectedCallback(): void {
    this.#feed?.unsubscribe(this.#receive);
    this.#feed = undefined;
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.#feed || before === after) return;
    if (name === "checklist") this.#shown = null;
    if (["src", "token", "checklist"].includes(name)) this.connectedCallback();
    this.#render();
  }

  /** Asks for the progress again. Resolves when it is shown. */
  async refresh(): Promise<void> {
    await this.#feed?.refresh();
  }

  #find(items: readonly ChecklistProgress[] | null): ChecklistProgress | null {
    const key = this.getAttribute("checklist");
    return items?.find(({ checklistKey }) => key === null || key === checklistKey) ?? null;
  }

  /** Returns whether an item is open: then the feed goes on asking. */
  #show(shown: ChecklistProgress | null): boolean {
    const before = this.#shown;
    if (JSON.stringify(before) !== JSON.stringify(shown)) {
      this.#shown = shown;
      this.#render();
      if (before && shown) this.#announce(before, shown);
    }
    return shown !== null && shown.dismissedAt === null && shown.progress.completed < shown.progress.total;
  }

  #announce(before: ChecklistProgress, { checklistKey, progress, items }: ChecklistProgress): void {
    const open = before.items.filter(({ completed }) => !completed).map(({ itemKey }) => itemKey);
    for (const { itemKey, name, completed } of items) {
      if (!completed || !open.includes(itemKey)) continue;
      const { completed: done, total } = progress;
      this.#say(`${name}: ${textOf(this, "done")}. ${textOf(this, "progress", { done, total })}`);
      this.#fire("whodid-complete", { checklistKey, itemKey, name, progress });
    }
  }

  /** Announces the text to screen readers. */
  #say(text: string): void {
    this.#status.textContent = text;
  }

  #render(): void {
    const root = this.shadowRoot!;
    const focused = root.activeElement;
    const row = focused?.closest("li")?.id;
    const shown = this.#shown;
    this.#slot.remove();
    if (!shown) {
      root.prepend(this.#slot);
      this.#say("");
    }
    this.#view.replaceChildren();
    if (shown?.dismissedAt === null) {
      this.#undoable = undefined;
      this.#view.append(viewOf(shown, this, this.hasAttribute("collapsed"), this.#deeds));
    } else if (shown && shown.checklistKey === this.#undoable) this.#view.append(undoOf(shown, this, this.#deeds));
    // A new view has lost the focus. The button of a completed item is gone, but its row is there.
    const ids = [focused?.id, row, focused?.id === "undo" && "dismiss"];
    ids
      .map((id) => root.getElementById(id || ""))
      .find(Boolean)
      ?.focus();
  }

  readonly #deeds = {
    toggle: (): void => void this.toggleAttribute("collapsed"),
    complete: (itemKey: string): Promise<void> =>
      this.#write(`items/${encodeURIComponent(itemKey)}/complete`, `complete-${itemKey}`),
    dismiss: async (): Promise<void> => {
      await this.#write("dismiss", "dismiss", this.#offerUndo);
      const { checklistKey, dismissedAt } = this.#shown ?? {};
      if (dismissedAt) this.#fire("whodid-dismiss", { checklistKey });
    },
    undo: (): Promise<void> => this.#write("restore", "undo"),
  };

  readonly #offerUndo = ({ checklistKey, name }: ChecklistProgress): void => {
    this.#undoable = checklistKey;
    this.#render();
    this.#say(`${name}: ${textOf(this, "dismissed")} ${textOf(this, "undo")}`);
    this.shadowRoot!.getElementById("undo")?.focus();
    clearTimeout(this.#undoTimer);
    this.#undoTimer = setTimeout(this.#endUndo, undoMs);
  };

  readonly #endUndo = (): void => {
    if (this.#undoable === undefined) return;
    if (this.shadowRoot!.activeElement?.id === "undo") {
      this.#undoTimer = setTimeout(this.#endUndo, 1_000);
      return;
    }
    this.#undoable = undefined;
    this.#say("");
    this.#render();
  };

  /** Writes for the button with this id. */
  async #write(deed: string, id: string, written?: (checklist: ChecklistProgress) => void): Promise<void> {
    const path = `${checklistsPath}/${this.#shown?.checklistKey}/${deed}`;
    const root = this.shadowRoot!;
    root.querySelector(".error")?.remove();
    try {
      const init = { method: "POST", headers: { [ownHeader]: "1" } };
      const response = await this.#door.ask(path, init);
      const { checklist } = (await response.json()) as { checklist: unknown };
      if (!response.ok || !isProgress(checklist)) throw response;
      this.#say("");
      this.#show(checklist);
      written?.(checklist);
    } catch {
      showError(root.getElementById(id), this);
    }
    await this.#feed?.changed();
  }

  #fire(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "whodid-checklist": WhodidChecklist;
  }
  interface HTMLElementEventMap {
    "whodid-complete": CustomEvent<WhodidCompletion>;
    "whodid-dismiss": CustomEvent<Pick<WhodidCompletion, "checklistKey">>;
  }
}
