import assert from "node:assert/strict";
import { fill } from "./filled.ts";
import { checklist, deedsOf, fillNew, kinds, save } from "./kinds.ts";
import type { Deeds } from "./run.ts";

/** Definitions of all kinds, events and API keys. */
export const definitionDeeds: Deeds = {
  ...deedsOf("a definition is made, changed and deleted", kinds, async ({ page, url, forgive }, made, kind) => {
    const { name, methods, place = methods, create = "Create", edit } = kind;
    // Its card asks for its progress, also at the moment when it is deleted.
    if (name === "subscription") forgive(/status of 404/);
    const titleOf = (value: string): string => (name === "subscription" ? "made" : value);
    const press = (button: string): Promise<void> => page.getByRole("button", { name: button, exact: true }).click();
    await page.goto(url(place));
    await page.getByText(`${create} ${name}`, { exact: true }).click();
    await fillNew(page, kind, "made", "11");
    await press(create);
    await page.getByText("This key is taken.").waitFor();
    assert.equal(await made.stored(), "10");
    await page.getByLabel("Key", { exact: true }).first().fill("other");
    await press(create);
    await page.getByText("other", { exact: true }).waitFor();
    await made.open(page);
    const title = edit ? `${edit} “${titleOf("10")}”` : "10";
    await page.getByRole("heading", { name: title, exact: true }).waitFor();
    await made.fieldOf(page).fill("22");
    await save(page);
    await made.becomes("22");
    await page.reload();
    const question = page.getByRole("dialog", { name: `Delete “${titleOf("22")}”?`, exact: true });
    for (const answer of ["Cancel", `Delete the ${name}`]) {
      assert.equal(await made.stored(), "22");
      await press(edit ? "Delete made" : "Delete");
      await question.getByRole("button", { name: answer }).click();
    }
    await page.getByText("made", { exact: true }).waitFor({ state: "detached" });
    assert.deepEqual([await made.stored(), await made.stored("other")], [undefined, "11"]);
  }),

  "a new event shows by itself, with a link to who did it": async ({ page, tracker, url }) => {
    await fill(tracker);
    await page.goto(url("events"));
    const rows = page.getByRole("region", { name: "Newest events" }).getByRole("row");
    await rows.filter({ hasText: "login" }).waitFor();
    await tracker.events.track({ externalId: "u/1", eventKey: "logged_out" });
    await rows.filter({ hasText: "logged_out" }).waitFor();
    await rows.filter({ hasText: "logged_out" }).getByRole("link", { name: "Ada Lovelace" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada Lovelace" }).waitFor();
  },

  "an event key that looks like a mistyped one stands out, and is defined": async ({ page, tracker, url }) => {
    await fill(tracker);
    await page.goto(url("events/types"));
    const row = page.getByRole("row").filter({ hasText: "purchse_completed" });
    await row.getByText("not defined, like purchase_completed?").waitFor();
    await row.getByRole("button", { name: /^Define/ }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Mistyped");
    await page.getByRole("dialog").getByRole("button", { name: "Define" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await row.getByText("Mistyped").waitFor();
    assert.ok((await tracker.eventTypes.list()).some(({ key }) => key === "purchse_completed"));
  },

  "a checklist is created, from what was typed before one left it, and shows how many contacts have completed each item":
    async (opened) => {
      const { page, tracker, url } = opened;
      await fill(tracker);
      await page.goto(url("checklists"));
      await page.getByRole("region", { name: "Onboarding" }).getByText("Buy").waitFor();
      await page.getByRole("link", { name: "Create checklist" }).click();
      await fillNew(page, checklist, "first_week", "First week");
      await page.getByRole("link", { name: "Attributes", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Attributes" }).waitFor();
      await page.reload();
      await page.goBack();
      await page.getByText("Not saved").waitFor();
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("heading", { level: 1, name: "First week" }).waitFor();
      await page.getByRole("link", { name: "All checklists" }).click();
      await page
        .getByRole("region", { name: "First week" })
        .getByText(/1 of 1|1 contact/)
        .waitFor();
      assert.deepEqual(await tracker.checklists.counts("first_week"), [
        { itemKey: "log_in", name: "Log in", contacts: 1 },
      ]);
      await page.getByRole("link", { name: "Create checklist" }).click();
      assert.equal(await page.getByLabel("Name").first().inputValue(), "");
    },

  "a checklist's descriptions and links are edited, and a bad link is refused at its field": async (opened) => {
    const { page, forgive, tracker, url } = opened;
    forgive(/status of 400/);
    await tracker.checklists.define({ key: "start", name: "Start", items: [{ key: "call", name: "Call" }] });
    await page.goto(url("checklists/start"));
    await page.getByText("Call", { exact: true }).click();
    await page.getByLabel("Description").first().fill("Your first week.");
    await page.getByLabel("Description").nth(1).fill("Ten minutes.");
    await page.getByLabel("Link").fill("javascript:alert(1)");
    await page.getByText("Call", { exact: true }).click();
    await page.getByLabel("Link").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be a relative or http(s) URL without spaces.").waitFor();
    await page.getByLabel("Link").fill("/calls");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const item = { key: "call", name: "Call", description: "Ten minutes.", href: "/calls" };
    assert.deepEqual(await tracker.checklists.list(), [
      { key: "start", name: "Start", description: "Your first week.", items: [item] },
    ]);
  },

  "an attribute whose key is refused keeps what was typed; one that an audience uses is not deleted, and says why":
    async (opened) => {
      const { page, forgive, tracker, url } = opened;
      await fill(tracker);
      const rule = { kind: "attribute", key: "seats", operator: "greater_than", value: 5 } as const;
      await tracker.audiences.define({ key: "teams", name: "Teams", rule });
      forgive(/status of 4(00|09)/);
      await page.goto(url("attributes"));
      await page.getByRole("button", { name: "Create attribute" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Key").fill("7 seas");
      await dialog.getByLabel("Name").fill("Team");
      await dialog.getByRole("button", { name: "Create" }).click();
      await dialog.locator('[aria-invalid="true"]').waitFor();
      assert.equal(await dialog.getByLabel("Name").inputValue(), "Team");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Delete seats" }).click();
      await dialog.getByRole("button", { name: "Delete the attribute" }).click();
      await dialog.getByRole("alert").filter({ hasText: "teams" }).waitFor();
      assert.equal((await tracker.attributes.list()).length, 2);
    },

  "an API key is created, shown once, opens the API, and is revoked": async ({ page, tracker, url }) => {
    await page.goto(url("api-keys"));
    await page.getByRole("button", { name: "Create API Key" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("backend");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByRole("heading", { name: "Copy the key now" }).waitFor();
    const key = /sk_[\w-]{43}/.exec((await dialog.textContent()) ?? "")?.[0];
    const ask = (): Promise<Response> =>
      tracker.handle(new Request("http://localhost/api/v1/contacts", { headers: { authorization: `Bearer ${key}` } }));
    assert.equal((await ask()).status, 200);
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("row").filter({ hasText: "backend" }).waitFor();
    await page.reload();
    await page.getByRole("row").filter({ hasText: "backend" }).waitFor();
    assert.ok(!(await page.content()).includes(key!));
    await page.getByRole("button", { name: "Revoke backend" }).click();
    await dialog.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("There are no API keys yet.").waitFor();
    assert.equal((await ask()).status, 401);
  },
};
