import assert from "node:assert/strict";
import { fill } from "./filled.ts";
import type { Deeds } from "./run.ts";

export const audienceDeeds: Deeds = {
  "audiences are listed with their rules in words and their counts": async ({ page, tracker, url }) => {
    await fill(tracker);
    await page.goto(url("audiences"));
    const buyers = page.getByRole("row").filter({ hasText: "Buyers" });
    await buyers.getByText("has done purchase_completed").waitFor();
    await buyers.getByText("1", { exact: true }).waitFor();
  },

  "an audience is built rule by rule, shows who matches and why not, and is saved": async (opened) => {
    const { page, forgive, tracker, url } = opened;
    await fill(tracker);
    await tracker.contacts.upsert({ email: "grace@example.com", plan: "pro" });
    // The rule is incomplete until the event key is typed.
    forgive(/status of 400/);
    await page.goto(url("audiences"));
    await page.getByRole("link", { name: "Create audience" }).click();
    await page.getByLabel("Name").fill("Spenders");
    await page.getByLabel("Key", { exact: true }).fill("spenders");
    await page.getByLabel("What the rule is about").selectOption({ label: "has done" });
    await page.getByPlaceholder("Event key").fill("purchase_completed");
    await page.getByText("1 contact", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
    const json = await page.getByLabel("The rule as JSON").inputValue();
    assert.match(json, /"eventKey": "purchase_completed"/);
    await page.getByLabel("External id of the contact").fill("grace@example.com");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByText("never").last().waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Spenders" }).waitFor();
    await page.waitForURL(/#\/audiences\/spenders$/);
    assert.deepEqual(
      (await tracker.audiences.list()).find(({ key }) => key === "spenders"),
      { key: "spenders", name: "Spenders", rule: { kind: "has_done", eventKey: "purchase_completed" } },
    );
  },

  "an audience of events of a period is built in rows, and explains by the events that it counts": async (opened) => {
    const { page, forgive, tracker, url } = opened;
    await tracker.provision({ events: [{ key: "order_completed", properties: { total: "number", note: "text?" } }] });
    for (const [externalId, totals] of [
      ["ada", [150, 100.5, 101]],
      ["grace", [150, 100, 101]],
    ] as const) {
      await tracker.contacts.upsert({ email: `${externalId}@example.com`, externalId });
      for (const total of totals)
        await tracker.events.track({ externalId, eventKey: "order_completed", properties: { total } });
    }
    // The rule is incomplete until all of its inputs are filled.
    forgive(/status of 400/);
    await page.goto(url("audiences/new-audience"));
    await page.getByLabel("Name").fill("Regulars");
    await page.getByLabel("Key", { exact: true }).fill("regulars");
    await page.getByLabel("What the rule is about").selectOption({ label: "did often" });
    await page.getByPlaceholder("Event key").fill("order_completed");
    await page.getByLabel("Count", { exact: true }).fill("2");
    await page.getByLabel("Period", { exact: true }).selectOption({ label: "last … days" });
    await page.getByLabel("Number of days").fill("30");
    await page.getByRole("button", { name: "where" }).click();
    const property = page.getByRole("combobox", { name: "Property" });
    await page.locator(`#${await property.getAttribute("list")} option[value="total"]`).waitFor({ state: "attached" });
    await property.fill("total");
    await page.getByLabel("Operator").selectOption({ label: "is greater than" });
    await page.getByPlaceholder("Value").fill("100");
    await page.getByText("1 contact", { exact: true }).waitFor();
    await page.getByRole("link", { name: "ada@example.com" }).waitFor();
    await page.getByLabel("External id of the contact").fill("grace");
    await page.getByRole("button", { name: "Explain" }).click();
    const sentence = "did order_completed more than 2 times, in the last 30 days, where total is greater than 100";
    await page.getByText(`${sentence} · 2 times, first`).waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Regulars" }).waitFor();
    await page.getByRole("link", { name: "All audiences" }).click();
    await page.getByRole("row").filter({ hasText: "Regulars" }).getByText(sentence).waitFor();
  },

  "an audience looks ahead to a date, and back before a moment, and the list reads so": async (opened) => {
    const { page, forgive, tracker, url } = opened;
    const dayMs = 86_400_000;
    await page.goto(url("attributes"));
    await page.getByText("Create attribute", { exact: true }).click();
    await page.getByLabel("Key", { exact: true }).fill("trialEnds");
    await page.getByLabel("Type").selectOption({ label: "Date" });
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("row").filter({ hasText: "trialEnds" }).getByText("date", { exact: true }).waitFor();
    const customAttributes = { trialEnds: new Date(Date.now() + 2 * dayMs) };
    const signedUpAt = new Date(Date.now() - 40 * dayMs);
    await tracker.contacts.upsert({ email: "ada@example.com", signedUpAt, customAttributes });
    await tracker.contacts.upsert({ email: "grace@example.com" });
    forgive(/status of 400/);
    for (const [key, subject, label, count, sentence] of [
      ["ending", "attribute trialEnds", "in the next … days", "3", "trialEnds in the next 3 days"],
      ["settled", "field signedUpAt", "more than … days ago", "30", "signedUpAt more than 30 days ago"],
    ] as const) {
      await page.goto(url("audiences/new-audience"));
      await page.getByLabel("Name").fill(key);
      await page.getByLabel("Key", { exact: true }).fill(key);
      await page.getByLabel("What the rule is about").selectOption(subject);
      await page.getByLabel("Value", { exact: true }).selectOption({ label });
      await page.getByLabel("Number of days").fill(count);
      await page.getByText("1 contact", { exact: true }).waitFor();
      await page.getByRole("link", { name: "ada@example.com" }).waitFor();
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("heading", { level: 1, name: key }).waitFor();
      await page.goto(url("audiences"));
      await page.getByRole("row").filter({ hasText: key }).getByText(sentence).waitFor();
    }
  },

  "a rule is written as JSON; what does not parse is told of, and kept": async ({ page, tracker, url }) => {
    await fill(tracker);
    await page.goto(url("audiences/buyers"));
    const json = page.getByLabel("The rule as JSON");
    await json.fill('{ "any": [');
    await page.locator('textarea[aria-invalid="true"]').waitFor();
    assert.equal(await json.inputValue(), '{ "any": [');
    await json.fill('{ "kind": "has_done", "eventKey": "login" }');
    await page.locator('textarea[aria-invalid="true"]').waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    assert.deepEqual((await tracker.audiences.list())[0]?.rule, { kind: "has_done", eventKey: "login" });
  },

  "an audience is watched once a subscription names it, and shows who enters and leaves as they come": async (
    opened,
  ) => {
    const { page, tracker, url } = opened;
    await fill(tracker);
    await page.goto(url("audiences/idle"));
    await page.getByText("No subscription names this audience.").waitFor();
    await page.getByRole("link", { name: "subscription", exact: true }).click();
    await page.getByRole("button", { name: "Edit invoices" }).click();
    await page.getByRole("dialog").getByLabel("Idle").check();
    await page.getByRole("button", { name: "Save" }).click();
    const card = page.getByRole("region", { name: "invoices", exact: true });
    await card.getByText("events invoice_sent; audiences idle").waitFor();
    await card.getByText("The first pass over all contacts is under way.").waitFor();
    await tracker.work({ until: "caught-up" });
    await card.getByText("Watching since").waitFor();
    await tracker.contacts.upsert({ email: "grace@example.com" });
    await tracker.work({ until: "caught-up" });
    await card.getByRole("row").filter({ hasText: "audience entered" }).getByText("idle").waitFor();
    for (const eventKey of ["login", ...Array.from({ length: 12 }, () => "invoice_sent")])
      await tracker.events.track({ externalId: "grace@example.com", eventKey });
    await tracker.work({ until: "caught-up" });
    await page.goto(url("audiences/idle"));
    const rows = page.getByRole("region", { name: "Newest entries and exits" }).getByRole("row");
    await rows.nth(2).filter({ hasText: "Entered" }).waitFor();
    await rows.nth(1).filter({ hasText: "Left" }).getByRole("link", { name: "grace@example.com" }).waitFor();
    await tracker.contacts.upsert({ email: "bob@example.com" });
    await tracker.work({ until: "caught-up" });
    await rows.filter({ hasText: "bob@example.com" }).waitFor();
    // The row of the columns is the first.
    assert.equal(await rows.count(), 4);
  },

  "a changed rule of a watched audience is announced only if one says so": async ({ page, tracker, url }) => {
    await fill(tracker);
    const announced = async (): Promise<string[]> => {
      await tracker.work({ until: "caught-up" });
      const changes = await tracker.subscriptions.recent("all", { audienceKey: "buyers" });
      return changes.map(({ kind }) => kind);
    };
    assert.deepEqual(await announced(), ["audience_entered"]);
    await page.goto(url("audiences/buyers"));
    const json = page.getByLabel("The rule as JSON");
    const announce = page.getByLabel("Announce them, and go on watching");
    const save = async (eventKey: string): Promise<void> => {
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved", { exact: true }).waitFor();
      await announce.waitFor({ state: "detached" });
      const { rule } = (await tracker.audiences.list()).find(({ key }) => key === "buyers")!;
      assert.deepEqual(rule, { kind: "has_done", eventKey });
    };
    await page.getByText("Watching since").waitFor();
    assert.equal(await announce.count(), 0);
    await json.fill('{ "kind": "has_done", "eventKey": "nothing" }');
    await page.getByText("are not announced").waitFor();
    await save("nothing");
    await page.getByText("The first pass over all contacts is under way.").waitFor();
    assert.deepEqual(await announced(), ["audience_entered"]);
    await json.fill('{ "kind": "has_done", "eventKey": "login" }');
    await announce.check();
    await save("login");
    assert.deepEqual(await announced(), ["audience_entered", "audience_entered"]);
    await json.fill('{ "kind": "has_done", "eventKey": "purchase_completed" }');
    await announce.waitFor();
    assert.equal(await announce.isChecked(), false);
  },
};
