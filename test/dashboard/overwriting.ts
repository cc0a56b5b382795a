import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { Tracker } from "../../lib/index.ts";
import type { Visit } from "./browser.ts";
import { violationsOn } from "./everywhere.ts";
import { eventually } from "./eventually.ts";
import { fill } from "./filled.ts";
import type { Mount } from "./mounts.ts";
import type { Deeds } from "./run.ts";

/** A page that saves a definition. */
interface Edited {
  open(page: Page, url: Mount["url"]): Promise<unknown>;
  /** The field that is changed. */
  fieldOf(page: Page): Locator;
  stored(tracker: Tracker): Promise<string | undefined>;
  /** Stores another value of the field. */
  store(tracker: Tracker, value: string): Promise<unknown>;
  delete(tracker: Tracker): Promise<void>;
}

const audience: Edited = {
  open: (page, url) => page.goto(url("audiences/idle")),
  fieldOf: (page) => page.getByLabel("Name"),
  stored: async ({ audiences }) => (await audiences.list()).find(({ key }) => key === "idle")?.name,
  store: ({ audiences }, name) =>
    audiences.define({ key: "idle", name, rule: { kind: "has_done", eventKey: "login" } }),
  delete: ({ audiences }) => audiences.delete("idle"),
};

const checklist: Edited = {
  open: (page, url) => page.goto(url("checklists/onboarding")),
  fieldOf: (page) => page.getByLabel("Name").first(),
  stored: async ({ checklists }) => (await checklists.list()).find(({ key }) => key === "onboarding")?.name,
  store: ({ checklists }, name) =>
    checklists.define({ key: "onboarding", name, items: [{ key: "call", name: "Call" }] }),
  delete: ({ checklists }) => checklists.delete("onboarding"),
};

const subscription: Edited = {
  async open(page, url) {
    await page.goto(url("subscriptions"));
    await page.getByRole("button", { name: "Edit invoices" }).click();
  },
  fieldOf: (page) => page.getByLabel("Days to keep a change"),
  async stored({ subscriptions }) {
    const found = (await subscriptions.list()).find(({ key }) => key === "invoices");
    return found && String(found.keepDays);
  },
  store: ({ subscriptions }, days) =>
    subscriptions.define({ key: "invoices", on: { events: ["invoice_sent"] }, keepDays: Number(days) }),
  delete: ({ subscriptions }) => subscriptions.delete("invoices"),
};

type Run = (visit: Visit, mount: Mount, edited: Edited) => Promise<void>;

function deedsOf(sentence: string, of: Readonly<Record<string, Edited>>, run: Run): Deeds {
  return Object.fromEntries(
    Object.entries(of).map(([name, edited]): [string, Deeds[string]] => [
      `${sentence}: ${name}`,
      async (visited, mount) => {
        await fill(mount.tracker);
        await run(visited, mount, edited);
      },
    ]),
  );
}

/** Two tabs that edit one definition. */
export const overwritingDeeds: Deeds = {
  ...deedsOf(
    "what another tab has saved is replaced only by who has seen both",
    { audience, checklist, subscription },
    async ({ page, context }, { tracker, url }, edited) => {
      const question = page.getByRole("dialog", { name: "Somebody else has changed this" });
      const shows = (value: string): Promise<void> => question.getByText(new RegExp(`: "?${value}\\b`)).waitFor();
      const changeElsewhere = async (value: string): Promise<void> => {
        const tab = await context.newPage();
        await edited.open(tab, url);
        await edited.fieldOf(tab).fill(value);
        await save(tab);
        await isStored(tracker, edited, value);
        await tab.close();
      };
      await edited.open(page, url);
      await edited.fieldOf(page).fill("11");
      await changeElsewhere("22");
      await save(page);
      await shows("22");
      await shows("11");
      assert.deepEqual(await violationsOn(page), []);
      await question.getByRole("button", { name: "Cancel" }).click();
      assert.equal(await edited.fieldOf(page).inputValue(), "11");
      await save(page);
      await shows("22");
      await changeElsewhere("33");
      await question.getByRole("button", { name: "Save mine" }).click();
      await shows("33");
      assert.equal(await edited.stored(tracker), "33");
      await question.getByRole("button", { name: "Save mine" }).click();
      await isStored(tracker, edited, "11");
    },
  ),

  ...deedsOf(
    "what was deleted meanwhile is created again only by who has been told",
    { audience, checklist, subscription },
    async ({ page }, { tracker, url }, edited) => {
      const question = page.getByRole("dialog", { name: "Somebody else has deleted this" });
      await edited.open(page, url);
      await edited.fieldOf(page).fill("11");
      await edited.delete(tracker);
      await save(page);
      await question.getByRole("button", { name: "Cancel" }).click();
      assert.equal(await edited.stored(tracker), undefined);
      await save(page);
      await question.getByRole("button", { name: "Create it again" }).click();
      await isStored(tracker, edited, "11");
    },
  ),

  ...deedsOf(
    "what was typed before a reload does not replace unseen what was saved before it",
    { audience, checklist },
    async ({ page }, { tracker, url }, edited) => {
      await edited.open(page, url);
      await edited.fieldOf(page).fill("11");
      await edited.store(tracker, "22");
      await page.reload();
      assert.equal(await edited.fieldOf(page).inputValue(), "11");
      await save(page);
      await page.getByRole("dialog").getByRole("button", { name: "Save mine" }).click();
      await isStored(tracker, edited, "11");
    },
  ),

  "whoever saves an audience twice is not asked about their own change, and goes back to what others have saved":
    async ({ page }, { tracker, url }) => {
      await fill(tracker);
      await audience.open(page, url);
      for (const value of ["11", "22"]) {
        await audience.fieldOf(page).fill(value);
        await save(page);
        await page.getByText("Saved", { exact: true }).waitFor();
      }
      await audience.store(tracker, "33");
      await audience.fieldOf(page).fill("44");
      await save(page);
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Discard" }).click();
      assert.equal(await audience.fieldOf(page).inputValue(), "33");
      for (const value of ["55", "66"]) {
        await audience.fieldOf(page).fill(value);
        // As if the answer to an earlier try had been lost.
        if (value === "66") await audience.store(tracker, value);
        await save(page);
        await page.getByText("Saved", { exact: true }).waitFor();
      }
    },
};

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
}

function isStored(tracker: Tracker, { stored }: Edited, value: string): Promise<void> {
  return eventually(async () => (await stored(tracker)) === value);
}
