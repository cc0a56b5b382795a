import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { fill } from "./filled.ts";
import { audience, checklist, fillNew, type Kind } from "./kinds.ts";
import type { Deeds } from "./run.ts";

/** What happens when the host or the server says no. */
export const faultDeeds: Deeds = {
  "whoever the host lets in no more is told so, and sees nothing new, whether it answers 403, 401 or redirects": async (
    mount,
  ) => {
    const { page, forgive } = mount;
    forgive(/status of 40[13]|ERR_/);
    for (const refusal of [null, { status: 401 }, { status: 302, headers: { location: "/login" } }]) {
      await page.goto(mount.url("attributes"));
      await page.getByText("There are no attributes yet.").waitFor();
      if (refusal) await page.route("**/api/**", (route) => route.fulfill(refusal));
      mount.isOpen = refusal !== null;
      await page.getByRole("link", { name: "Events" }).click();
      await page.getByRole("heading", { name: "You may not use this dashboard" }).waitFor();
      if (!refusal) assert.equal((await page.request.get(mount.url())).status(), 403);
      await page.unroute("**/api/**");
      mount.isOpen = true;
      await page.getByRole("button", { name: "Load again" }).click();
      await page.getByRole("heading", { level: 1, name: "Events" }).waitFor();
    }
  },

  "a server that is gone is told of where the request was made, and asked again": async (mount) => {
    const { page, forgive } = mount;
    await mount.tracker.contacts.upsert({ email: "ada@example.com" });
    forgive(/ERR_FAILED/);
    await page.goto(mount.url("contacts"));
    await page.getByRole("link", { name: "ada@example.com" }).waitFor();
    await page.route("**/api/**", (route) => route.abort());
    await page.getByRole("searchbox", { name: "Find contacts" }).fill("ada");
    await page.getByText("The server does not answer. Trying again…").waitFor();
    const failure = page.getByRole("alert").filter({ hasText: "The server or its database does not answer." });
    await failure.waitFor({ timeout: 30_000 });
    await page.unroute("**/api/**");
    await failure.getByRole("button", { name: "Try again" }).click();
    await failure.waitFor({ state: "detached" });
    assert.equal(await page.getByRole("searchbox", { name: "Find contacts" }).inputValue(), "ada");
    await page.getByRole("link", { name: "ada@example.com" }).waitFor();
  },

  "whoever leaves a page while it is saved stays where they went": async ({ page, tracker, url }) => {
    await fill(tracker);
    const leaves: [string, (page: Page) => Promise<void>, () => Promise<unknown>][] = [
      ["contacts/u%2F1", renameContact, async () => tracker.contacts.get("u/2")],
      [
        "checklists/new-checklist",
        (on) => create(on, checklist),
        async () => isThere(await tracker.checklists.list(), "later"),
      ],
      [
        "audiences/new-audience",
        (on) => create(on, audience),
        async () => isThere(await tracker.audiences.list(), "later"),
      ],
      ["audiences/later", deleteAudience, async () => !isThere(await tracker.audiences.list(), "later")],
    ];
    for (const [place, begin, isDone] of leaves) {
      await page.goto(url(place));
      const release = await holdWrites(page);
      await begin(page);
      await page.evaluate(() => (location.hash = "#/attributes"));
      await page.getByRole("heading", { level: 1, name: "Attributes" }).waitFor();
      const answered = page.waitForResponse((response) => response.request().method() !== "GET");
      release();
      await answered;
      // The body of the answer, and what follows it. Chromium may never tell that such a request has finished.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
      assert.equal(new URL(page.url()).hash, "#/attributes", place);
      assert.ok(await isDone(), place);
      await page.unroute("**/api/**");
    }
  },

  "a click on Save is not lost when an answer makes the page longer meanwhile": async ({ page, tracker, url }) => {
    await fill(tracker);
    for (const name of ["bob", "cleo", "dan"]) await tracker.contacts.upsert({ email: `${name}@example.com` });
    await page.goto(url("audiences/buyers"));
    await page.getByText("1 contact", { exact: true }).waitFor();
    const release = await hold(page, () => true);
    await page.getByLabel("The rule as JSON").fill('{ "kind": "has_not_done", "eventKey": "nothing" }');
    const asked = page.waitForRequest("**/api/**");
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.getByRole("button", { name: "Save" }).hover();
    await asked;
    await page.mouse.down();
    release();
    await page.getByText("4 contacts", { exact: true }).waitFor();
    await page.mouse.up();
    await page.getByText("Saved", { exact: true }).waitFor();
  },

  "what is sent twice before the page is drawn again is done once": async ({ page, tracker, url }) => {
    await page.goto(url("api-keys"));
    await page.getByRole("button", { name: "Create API Key" }).first().click();
    await page.getByRole("dialog").getByLabel("Name").fill("backend");
    await page.getByRole("dialog").evaluate((dialog) => {
      const form = dialog.querySelector("form")!;
      form.requestSubmit();
      form.requestSubmit();
    });
    await page.getByRole("heading", { name: "Copy the key now" }).waitFor();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("row").filter({ hasText: "backend" }).first().waitFor();
    assert.equal((await tracker.apiKeys.list()).length, 1);
  },

  "a dialog that is opened while an earlier one is saved stays open, and keeps what was typed": async (opened) => {
    const { page, tracker, url } = opened;
    await page.goto(url("attributes"));
    const release = await holdWrites(page);
    const dialog = page.getByRole("dialog");
    for (const key of ["seats", "team"]) {
      await page.getByRole("button", { name: "Create attribute" }).first().click();
      await dialog.getByLabel("Key").fill(key);
      if (key === "seats") await dialog.getByRole("button", { name: "Create" }).click();
      if (key === "seats") await dialog.getByRole("button", { name: "Cancel" }).click();
    }
    release();
    await page.getByRole("cell", { name: "seats", exact: true }).waitFor();
    assert.equal(await dialog.getByLabel("Key").inputValue(), "team");
    assert.ok(isThere(await tracker.attributes.list(), "seats"));
  },
};

function holdWrites(page: Page): Promise<() => void> {
  return hold(page, (method) => method !== "GET");
}

/** Holds the requests with these methods. Returns a function that lets them go. */
async function hold(page: Page, isHeld: (method: string) => boolean): Promise<() => void> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/**", async (route) => {
    if (isHeld(route.request().method())) await held;
    await route.continue();
  });
  return release;
}

function isThere(definitions: readonly { key: string }[], key: string): boolean {
  return definitions.some((definition) => definition.key === key);
}

async function renameContact(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("External id").fill("u/2");
  await page.getByRole("button", { name: "Save" }).click();
}

async function create(page: Page, kind: Kind): Promise<void> {
  await fillNew(page, kind, "later", "Later");
  await page.getByRole("button", { name: "Create" }).click();
}

async function deleteAudience(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete the audience" }).click();
}
