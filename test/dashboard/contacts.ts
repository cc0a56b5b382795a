import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { fill } from "./filled.ts";
import type { Deeds } from "./run.ts";

const adasPage = "contacts/u%2F1";

export const contactDeeds: Deeds = {
  "contacts are found as one types, and a reload finds the same": async ({ page, tracker, url }) => {
    for (const name of ["ada", "adam", "grace"]) await tracker.contacts.upsert({ email: `${name}@example.com` });
    await page.goto(url("contacts"));
    await page.getByText("3 contacts").waitFor();
    // The list may come later than the count.
    const grace = page.getByRole("link", { name: "grace@example.com" });
    await grace.waitFor();
    await page.getByRole("searchbox", { name: "Find contacts" }).fill("ADA");
    await grace.waitFor({ state: "detached" });
    assert.deepEqual(await linksOf(page), ["adam@example.com", "ada@example.com"]);
    await page.reload();
    await page.getByRole("link", { name: "adam@example.com" }).waitFor();
    assert.deepEqual(await linksOf(page), ["adam@example.com", "ada@example.com"]);
    await page.getByLabel("Order").selectOption("oldest");
    await page.waitForFunction(() => document.querySelector("tbody a")?.textContent === "ada@example.com");
  },

  "contacts are filtered by plan, role, attribute and audience, and a reload filters the same": async (opened) => {
    const { page, tracker, url } = opened;
    await fill(tracker);
    for (const [index, plan] of ["team", "team", "pro", "team"].entries())
      await tracker.contacts.upsert({
        email: `c${index}@example.com`,
        plan,
        role: index === 1 ? "admin" : "member",
        customAttributes: { seats: index, beta: index > 1 },
      });
    await tracker.events.track({
      externalId: "c3@example.com",
      eventKey: "purchase_completed",
      properties: { total: 1 },
    });
    const shows = async (names: readonly string[]): Promise<void> => {
      await page.waitForFunction((text) => {
        const links = Array.from(document.querySelectorAll("tbody a"), (link) => link.textContent);
        return links.join() === text && !document.querySelector('[aria-busy="true"]');
      }, names.join());
    };
    const filter = page.getByRole("form", { name: "Filter" });
    // Fields that write at once show whether a render leaves an old text to be written.
    await page.addInitScript(() => {
      const { setTimeout: set } = globalThis;
      Object.assign(globalThis, { setTimeout: (run: () => void, ms = 0) => set(run, ms < 1_000 ? 0 : ms) });
    });
    await page.goto(url("contacts?query=c1"));
    await shows(["c1@example.com"]);
    await filter.getByLabel("Plan").fill("team");
    await shows(["c0@example.com", "c1@example.com", "c3@example.com"]);
    assert.equal(await page.getByLabel("Find contacts").inputValue(), "");
    await filter.getByLabel("Role").fill("member");
    await shows(["c0@example.com", "c3@example.com"]);
    await filter.getByLabel("Attribute").selectOption("beta");
    await filter.getByLabel("Value").fill("false");
    await shows(["c0@example.com"]);
    await page.reload();
    await shows(["c0@example.com"]);
    await filter.getByLabel("Attribute").selectOption("seats");
    await shows(["c0@example.com", "c3@example.com"]);
    await filter.getByLabel("Value").fill("3");
    await shows(["c3@example.com"]);
    await page.goto(url("contacts"));
    await filter.getByLabel("Audience").selectOption("Buyers");
    await shows(["Ada Lovelace", "c3@example.com"]);
    await page.getByLabel("Find contacts").fill("ada");
    await shows(["Ada Lovelace"]);
    assert.equal(await filter.getByLabel("Audience").inputValue(), "");
  },

  "a contact shows its profile, what it did, its checklists, and why it is in an audience": async (opened) => {
    const { page, tracker, url } = opened;
    await fill(tracker);
    await page.goto(url("contacts"));
    await page.getByRole("link", { name: "Ada Lovelace" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada Lovelace" }).waitFor();
    await page.getByText("purchse_completed").last().waitFor();
    await page.getByRole("img", { name: /3 events/ }).waitFor();
    const [newest] = (await tracker.events.list("u/1")).items;
    const exactly = newest!.createdAt.replace("T", " ").replace("Z", " UTC");
    await page.getByRole("list", { name: "Events, newest first" }).getByText(exactly).first().waitFor();
    await page.getByRole("link", { name: "Checklists" }).last().click();
    await page.getByText("1 of 2 completed").waitFor();
    await page.getByRole("button", { name: "Complete Take the call" }).click();
    await page.getByText("2 of 2 completed").waitFor();
    assert.deepEqual((await tracker.checklists.progress("u/1"))[0]?.progress, { completed: 2, total: 2 });
    await tracker.checklists.dismiss("u/1", "onboarding");
    await page.reload();
    await page.getByText("Dismissed").waitFor();
    await page.getByRole("button", { name: "Restore Onboarding" }).click();
    await page.getByText("Dismissed").waitFor({ state: "detached" });
    assert.equal((await tracker.checklists.progress("u/1"))[0]?.dismissedAt, null);
    await page.getByRole("link", { name: "Audiences" }).last().click();
    await page.getByText("has done purchase_completed", { exact: true }).waitFor();
    await page.goBack();
    await page.getByText("2 of 2 completed").waitFor();
  },

  "a contact is changed; what the server refuses stands at its field, and nothing typed is lost": async (opened) => {
    const { page, forgive, tracker, url } = opened;
    await fill(tracker);
    await tracker.contacts.upsert({ email: "grace@example.com" });
    forgive(/status of 4(00|09)/);
    await page.goto(url(adasPage));
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Seats").fill("many");
    await page.getByLabel("Avatar URL").fill("no url");
    await page.getByLabel("Name", { exact: true }).fill("Ada King");
    await page.getByRole("button", { name: "Save" }).click();
    const seats = page.getByLabel("Seats");
    await page.locator('[aria-invalid="true"]').first().waitFor();
    assert.equal(await seats.getAttribute("aria-invalid"), "true");
    assert.equal(await page.getByLabel("Avatar URL").getAttribute("aria-invalid"), "true");
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Ada King");
    await seats.fill("13");
    await page.getByLabel("Avatar URL").fill("");
    await page.getByLabel("Email").fill("grace@example.com");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "grace@example.com" }).waitFor();
    await page.getByLabel("Email").fill("king@example.com");
    await page.getByLabel("External id").fill("u/2");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada King" }).waitFor();
    const contact = await tracker.contacts.get("u/2");
    assert.deepEqual([contact?.email, contact?.customAttributes], ["king@example.com", { seats: 13, beta: true }]);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Ada King" }).waitFor();
  },

  "a contact is exported, and deleted with a receipt": async ({ page, tracker, url }) => {
    await fill(tracker);
    await page.goto(url(adasPage));
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    const exported = JSON.parse(await readFile(await (await downloading).path(), "utf8")) as unknown;
    assert.deepEqual(exported, JSON.parse(JSON.stringify(await tracker.contacts.export("u/1"))));
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the contact" }).click();
    await page.getByText("3 events went with the contact.").waitFor();
    assert.equal(await tracker.contacts.get("u/1"), null);
    await page.getByRole("link", { name: "Back to the contacts" }).click();
    await page.getByText("There are no contacts yet.").waitFor();
  },
};

function linksOf(page: Page): Promise<string[]> {
  return page.locator("tbody a").allTextContents();
}
