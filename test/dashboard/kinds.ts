import type { Locator, Page } from "playwright-core";
import type { Visit } from "./browser.ts";
import { eventually } from "./eventually.ts";
import type { Mount } from "./mounts.ts";
import type { Deeds } from "./run.ts";

/** How one makes and changes a definition of a kind on its page, and what is stored then. */
export interface Kind {
  methods: "attributes" | "audiences" | "checklists" | "eventTypes" | "subscriptions";
  /** The address of its page, if it is not that name. */
  place?: string;
  /** The words on the button that makes one, and on that which changes one if it has no page of its own. */
  create?: string;
  edit?: string;
  /** The field that is changed, if it is not the name. */
  label?: string;
  /** The definition but its key, given the value of that field. */
  body(value: string): object;
  /** Fills the other fields of a new one. */
  complete?(page: Page): Promise<void>;
}

const named = (name: string): object => ({ name });
const login = { kind: "has_done", eventKey: "login" };

export const audience: Kind = {
  methods: "audiences",
  body: (name) => ({ name, rule: login }),
  complete: (page) => page.getByLabel("Event key").fill("login"),
};

export const checklist: Kind = {
  methods: "checklists",
  body: (name) => ({ name, items: [{ key: "log_in", name: "Log in", when: login }] }),
  async complete(page) {
    await page.getByLabel("Name").nth(1).fill("Log in");
    await page.getByLabel("Key").nth(1).fill("log_in");
    await page.getByLabel("Event key").fill("login");
  },
};

export const subscription: Kind = {
  methods: "subscriptions",
  edit: "Edit",
  label: "Days to keep a change",
  body: (days) => ({ on: { events: true }, keepDays: Number(days) }),
};

export const kinds: Readonly<Record<string, Kind>> = {
  attribute: { methods: "attributes", edit: "Rename", body: (name) => ({ name, type: "text" }) },
  "event type": { methods: "eventTypes", place: "events/types", create: "Define", edit: "Edit", body: named },
  audience,
  checklist,
  subscription,
};

/** The definition with the key `made`, or another key, of a kind. */
export interface Made {
  /** Opens the form that changes it. */
  open(page: Page): Promise<void>;
  fieldOf(page: Page): Locator;
  /** Stores it with a value of the field. */
  store(value: string, key?: string): Promise<object>;
  /** The value of the field; `undefined` if it is not there. */
  stored(key?: string): Promise<string | undefined>;
  /** Waits until it is stored with the value. */
  becomes(value: string): Promise<void>;
  delete(): Promise<void>;
}

export function madeOn({ tracker, url }: Mount, { methods, place = methods, edit, label = "Name", body }: Kind): Made {
  const { list, define, ...others } = tracker[methods] as unknown as {
    list(): Promise<{ key: string; name?: string; keepDays?: number }[]>;
    define(definition: object): Promise<object>;
    delete(key: string): Promise<void>;
  };
  const stored: Made["stored"] = async (key = "made") => {
    const found = (await list()).find((one) => one.key === key);
    return found && String(found.keepDays ?? found.name);
  };
  return {
    async open(page) {
      await page.goto(url(edit ? place : `${place}/made`));
      if (edit) await page.getByRole("button", { name: `${edit} made` }).click();
    },
    fieldOf: (page) => page.getByRole("textbox", { name: label }).first(),
    store: (value, key = "made") => define({ key, ...body(value) }),
    stored,
    becomes: (value) => eventually(async () => (await stored()) === value),
    delete: () => others.delete("made"),
  };
}

/** Does the same with a definition of each of the kinds. The value of its field is 10. */
export function deedsOf(
  sentence: string,
  of: Readonly<Record<string, Kind>>,
  run: (opened: Visit & Mount, made: Made, kind: Kind & { name: string }) => Promise<void>,
): Deeds {
  const deeds = Object.entries(of).map(([name, kind]): [string, Deeds[string]] => [
    `${sentence}: ${name}`,
    async (opened) => {
      const made = madeOn(opened, kind);
      await made.store("10");
      await run(opened, made, { ...kind, name });
    },
  ]);
  return Object.fromEntries(deeds);
}

/** Fills the form of a new definition. */
export async function fillNew(
  page: Page,
  { label = "Name", complete }: Kind,
  key: string,
  value: string,
): Promise<void> {
  await page.getByLabel("Key", { exact: true }).first().fill(key);
  await page.getByRole("textbox", { name: label }).first().fill(value);
  await complete?.(page);
}

export async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
}
