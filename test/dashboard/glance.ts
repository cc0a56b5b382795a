import assert from "node:assert/strict";
import { fill } from "./filled.ts";
import type { Deeds } from "./run.ts";

const dayMs = 86_400_000;

/** What an operator sees at a glance, and the ways from there to the people. */
export const glanceDeeds: Deeds = {
  "an empty workspace shows three commands; pasted, they fill the first page": async ({ page, tracker, url }) => {
    await page.goto(url());
    await page.getByText("Nothing has happened yet.").waitFor();
    for (const command of await page.locator("pre").allTextContents()) {
      const [, method = "", path = "", data = ""] = /-X (\S+) \S+\/api\/v1(\S+)[^']*'[^']*'[^']*'(.*)'/s.exec(command)!;
      const headers = { "content-type": "application/json", "x-whodid-dashboard": "1" };
      const answer = await page.request.fetch(`${url().split("#")[0]}api${path}`, { method, data, headers });
      assert.ok(answer.ok(), command);
    }
    await page.reload();
    for (const [title, figure] of Object.entries({ "New contacts": "1", "Active contacts": "1", Events: "1" }))
      await page.getByRole("region", { name: title, exact: true }).getByText(figure, { exact: true }).first().waitFor();
    assert.equal(await tracker.audiences.count("signed_up"), 1);
  },

  "the first page shows the last days beside those before, as plots and as tables, by keyboard alone": async (
    opened,
  ) => {
    const { page, tracker, url } = opened;
    await fill(tracker);
    for (let count = 0; count < 4; count++)
      await tracker.events.track({
        externalId: "u/1",
        eventKey: "login",
        createdAt: new Date(Date.now() - 35 * dayMs),
      });
    await page.goto(url());
    const events = page.getByRole("region", { name: "Events", exact: true });
    await events.getByText("4 in the 30 days before, -25 %").waitFor();
    await events.getByRole("img", { name: "Events by day" }).waitFor();
    const press = async (name: string): Promise<void> => {
      await page.getByRole("link", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
    };
    await press("7 days");
    await events.getByText("0 in the 7 days before", { exact: true }).waitFor();
    await events.getByText("Figures by day").focus();
    await page.keyboard.press("Enter");
    const rows = events.getByRole("region", { name: "Events by day" }).locator("tbody tr");
    assert.equal(await rows.count(), 7);
    const today = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" }).format();
    assert.equal(await rows.first().textContent(), `${today}1`);
    await press("90 days");
    await events.getByText("7", { exact: true }).first().waitFor();
    await page
      .getByRole("region", { name: "purchase_completed" })
      .getByText("1 event of 1 contact in 90 days")
      .waitFor();
    await press("Bought");
    await page.getByRole("img", { name: "Events purchase_completed by day" }).waitFor();
    await page.getByText("1 event of 1 contact in 30 days").waitFor();
  },

  "the first page says which days are counted, and which events are no longer kept": async ({ page, tracker, url }) => {
    await fill(tracker);
    await tracker.events.prune({ before: new Date(Date.now() - 3 * dayMs), force: true });
    await page.goto(url());
    const events = page.getByRole("region", { name: "Events", exact: true });
    await events.getByText("The 30 days before are not known.").waitFor();
    await events.getByText("–", { exact: true }).waitFor();
    await events.getByText("Figures by day").click();
    await events.getByRole("cell", { name: "not kept" }).first().waitFor();
    await page.route(/activity\?/, async (route) => {
      const answer = await route.fetch();
      const { activity } = (await answer.json()) as { activity: object };
      const cut = { ...activity, total: undefined, countedSince: "2026-01-31T00:00:00.000Z" };
      await route.fulfill({ response: answer, json: { success: true, activity: cut } });
    });
    await page.reload();
    await events.getByText("Counted since Jan 31, 2026.").waitFor();
    await page.unrouteAll({ behavior: "wait" });
  },

  "the first page links to what needs a look, and names who entered an audience": async ({ page, tracker, url }) => {
    await fill(tracker);
    await tracker.subscriptions.define({ key: "hooks", on: { contacts: true }, url: "https://partner.example/hooks" });
    await page.route("**/invoices/backlog", async (route) => {
      const backlog = { changes: 12, more: false, oldestAgeSeconds: 700, parked: 0 };
      await route.fulfill({ json: { success: true, backlog } });
    });
    const faults = {
      "Subscription all: 1 contact parked": "all",
      "Subscription invoices: 12 changes waiting since 11 minutes ago": "invoices",
      "Subscription hooks: the webhook has the state no secret": "hooks",
      "The event purchse_completed is not defined. Is purchase_completed meant?": "purchse_completed",
    };
    for (const [words, title] of Object.entries(faults)) {
      await page.goto(url());
      await page.getByRole("link", { name: words }).click();
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
    }
    await page.goto(url());
    const entry = page.getByRole("region", { name: "Newest entries and exits" }).getByRole("row").nth(1);
    await entry.getByRole("link", { name: "ada@example.com" }).waitFor();
    await entry.getByRole("link", { name: "buyers" }).click();
    await page.getByRole("heading", { level: 1, name: "Buyers" }).waitFor();
  },

  "the page of an event key leads to the audience of those who did it, beside another unsaved audience": async (
    opened,
  ) => {
    const { page, forgive, tracker, url } = opened;
    await fill(tracker);
    forgive(/status of 400/);
    await page.goto(url("audiences/new-audience"));
    await page.getByLabel("Name").fill("Mine");
    await page.goto(url("events/types"));
    await page.getByRole("link", { name: "Bought" }).click();
    await page.getByRole("heading", { level: 1, name: "Bought" }).waitFor();
    await page.getByRole("link", { name: "Build an audience" }).click();
    await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
    assert.equal(await page.getByLabel("Name").inputValue(), "");
    await page.getByLabel("External id of the contact").fill("u/1");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByText("✓ Matches").waitFor();
    await page.getByLabel("Name").fill("Those who bought");
    await page.getByLabel("Key", { exact: true }).fill("those");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Those who bought" }).waitFor();
    const those = (await tracker.audiences.list()).find(({ key }) => key === "those");
    assert.deepEqual(those?.rule, { kind: "has_done", eventKey: "purchase_completed" });
    await page.goto(url("audiences/new-audience"));
    await page.waitForFunction(() => document.querySelector("input")?.value === "Mine");
    await page.goto(url('audiences/new-audience?rule={"kind":'));
    await page.getByText("This is not JSON yet").waitFor();
  },

  "a checklist counts those who began in a period, and leads to who is stuck at an item": async (opened) => {
    const { page, tracker, url } = opened;
    const has_done = (eventKey: string) => ({ kind: "has_done", eventKey }) as const;
    const items = [
      { key: "sign_up", name: "Sign up", when: has_done("signed_up") },
      { key: "invite", name: "Invite", when: has_done("invited") },
      { key: "call", name: "Call" },
      { key: "pay", name: "Pay", when: has_done("paid") },
    ];
    await tracker.checklists.define({ key: "start", name: "Start", items });
    const often = { kind: "count_greater_than", eventKey: "invited", count: 0 } as const;
    await tracker.checklists.define({
      key: "more",
      name: "More",
      items: [{ key: "often", name: "Often", when: often }],
    });
    const done: [string, string, number][] = [
      ["old", "signed_up", 40],
      ["stuck", "signed_up", 1],
      ["fast", "signed_up", 1],
      ["fast", "invited", 0],
    ];
    for (const externalId of ["old", "stuck", "fast", "none"])
      await tracker.contacts.upsert({ email: `${externalId}@example.com`, externalId });
    for (const [externalId, eventKey, days] of done)
      await tracker.events.track({ externalId, eventKey, createdAt: new Date(Date.now() - days * dayMs) });
    await page.goto(url("checklists"));
    const start = page.getByRole("region", { name: "Start" });
    await start.getByText("Of 4 contacts:").waitFor();
    await start.getByRole("listitem").first().getByText("3 (75 %)").waitFor();
    await page.getByRole("link", { name: "Began in 30 days" }).focus();
    await page.keyboard.press("Enter");
    await start.getByText("Of 2 contacts that began in the last 30 days:").waitFor();
    await start.getByRole("listitem").nth(1).getByText("1 (50 %)").waitFor();
    const unknown = "Of 4 contacts, because the first item does not say when they began:";
    await page.getByRole("region", { name: "More" }).getByText(unknown).waitFor();
    assert.equal(await page.getByRole("link", { name: /^Who is stuck/ }).count(), 1);
    await page.getByRole("link", { name: "Who is stuck here: Invite" }).click();
    await page.getByText("1 contact", { exact: true }).waitFor();
    await page.getByRole("link", { name: "stuck@example.com" }).waitFor();
    await page.getByLabel("Name").fill("Stuck at the invitation");
    await page.getByLabel("Key", { exact: true }).fill("stuck");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Stuck at the invitation" }).waitFor();
    assert.equal(await tracker.audiences.count("stuck"), 1);
  },
};
