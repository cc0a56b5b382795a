import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { open, violationsOn } from "./everywhere.ts";
import { fill, places } from "./filled.ts";
import { audience, checklist, madeOn, subscription } from "./kinds.ts";
import type { Deeds } from "./run.ts";

const phone = { width: 360, height: 740 };

export const lookDeeds: Deeds = {
  "a small screen shows every cell and every word whole, and the properties of events": async (opened) => {
    const { page, forgive, tracker, url } = opened;
    await fill(tracker);
    await tracker.events.track({ externalId: "u/1", eventKey: "purchase_complete", properties: { total: 9.5 } });
    await tracker.work({ until: "caught-up" });
    forgive(/status of 404/);
    await page.setViewportSize(phone);
    for (const place of places) {
      await open(page, url(place));
      assert.deepEqual(await page.evaluate(cutAndBroken), [], place);
    }
    for (const [place, table] of [
      ["events", "Newest events"],
      ["subscriptions", "Newest changes of all"],
    ] as const) {
      await open(page, url(place));
      assert.ok(await page.getByRole("region", { name: table }).getByText("total").first().isVisible(), place);
    }
    await open(page, url("events"));
    const { height } = await boxOf(page.getByText("not defined, like").first());
    assert.ok(height < 30, `the badge is ${height} high`);
  },

  "a small screen shows all links of the navigation": async ({ page, url }) => {
    await page.setViewportSize(phone);
    await open(page, url());
    const links = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").all();
    assert.equal(links.length, 8);
    for (const link of links) {
      const { x, width } = await boxOf(link);
      assert.ok(x >= 0 && x + width <= phone.width, (await link.textContent())!);
    }
  },

  "the editors of audiences and checklists have the same buttons at the same places, and Save is the loudest": async (
    opened,
  ) => {
    const { page, tracker, url } = opened;
    await fill(tracker);
    const buttons = ["Delete", "Discard", "Save"];
    for (const viewport of [phone, { width: 1_280, height: 800 }]) {
      await page.setViewportSize(viewport);
      const rows = [];
      for (const place of ["audiences/idle", "checklists/onboarding"]) {
        await open(page, url(place));
        // A button under the pointer has another colour.
        await page.mouse.move(0, 0);
        const loud = await colourOf(page, "Save");
        await page.getByLabel("Name").first().fill("Changed");
        const [remove, discard, save] = await Promise.all(buttons.map((name) => colourOf(page, name)));
        assert.deepEqual([remove, save], [discard, loud]);
        assert.notEqual(remove, save);
        const boxes = await Promise.all(buttons.map((name) => boxOf(page.getByRole("button", { name, exact: true }))));
        assert.equal(new Set(boxes.map(({ y }) => y)).size, 1);
        rows.push(boxes.map(({ x, width }) => [x, width]));
        await page.getByRole("button", { name: "Discard" }).click();
      }
      assert.deepEqual(rows[0], rows[1]);
    }
  },

  "fields show their text, and a checklist of four items fits on two small screens": async ({ page, tracker, url }) => {
    const rule = { kind: "last_done_within", eventKey: "purchase_completed", period: { days: 30 } } as const;
    await tracker.audiences.define({ key: "buyers", name: "Buyers", rule });
    const text = "Half an hour, whenever you like, with us.";
    const items = ["one", "two", "three", "four"].map((key) => ({ key, name: `Step ${key}`, description: text }));
    await tracker.checklists.define({ key: "first", name: "First week", description: text, items });
    for (const [place, width] of [
      ["audiences/buyers", 1_080],
      ["checklists/first", 1_280],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await open(page, url(place));
      for (const summary of await page.locator("summary").all()) await summary.click();
      assert.deepEqual(await page.evaluate(cutTexts), []);
      assert.deepEqual(await violationsOn(page), []);
    }
    await page.setViewportSize(phone);
    await open(page, url());
    await open(page, url("checklists/first"));
    assert.ok((await page.evaluate(() => document.documentElement.scrollHeight)) < 2 * phone.height);
  },

  "an address does what one guesses": async (mount) => {
    const { page, tracker, url } = mount;
    await fill(tracker);
    await page.goto(url("subscriptions/invoices"));
    await page.getByRole("heading", { level: 1, name: "invoices" }).waitFor();
    await page.getByRole("region", { name: "invoices", exact: true }).waitFor();
    assert.equal(await page.getByRole("region", { name: "all", exact: true }).count(), 0);
    await page.goto(url("subscriptions/nobody"));
    await page.getByText("There is no such subscription.").waitFor();
    for (const [name, kind] of Object.entries({ audience, checklist, subscription })) {
      await page.goto(url(`${kind.methods}/new`));
      await page.getByRole("heading", { name: `Create ${name}` }).waitFor();
      // What one guesses in an address for a new one may be a key.
      await madeOn(mount, kind).store("11", "new");
      await page.goto("about:blank");
      await page.goto(url(`${kind.methods}/new`));
      await page.getByRole("heading", { level: 1, name: name === "subscription" ? "new" : "11" }).waitFor();
    }
  },

  "a rule has one negation in a row and in words": async ({ page, tracker, url }) => {
    await tracker.audiences.define({
      key: "doubly",
      name: "Doubly",
      rule: {
        all: [{ kind: "has_not_done", eventKey: "login" }, { not: { kind: "has_not_done", eventKey: "signup" } }],
      },
    });
    await page.goto(url("audiences"));
    await page.getByText("all of (has not done login; has done signup)").waitFor();
    await page.goto(url("audiences/doubly"));
    const [first, second] = [1, 2].map((name) => page.getByRole("group", { name: `Rule ${name}`, exact: true }));
    await first!.getByText("has done").first().waitFor({ state: "attached" });
    assert.equal(await page.getByRole("option", { name: "has not done" }).count(), 0);
    assert.deepEqual(await Promise.all([first, second].map((row) => row!.getByLabel("not").isChecked())), [
      true,
      false,
    ]);
    await first!.getByLabel("not").uncheck();
    await second!.getByLabel("not").check();
    const json = JSON.parse(await page.getByLabel("The rule as JSON").inputValue()) as unknown;
    assert.deepEqual(json, {
      all: [
        { kind: "has_done", eventKey: "login" },
        { kind: "has_not_done", eventKey: "signup" },
      ],
    });
    await second!.getByLabel("What the rule is about").selectOption("did often");
    assert.ok(await second!.getByLabel("not").isChecked());
  },
};

async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  return (await locator.boundingBox())!;
}

function colourOf(page: Page, name: string): Promise<string> {
  const button = page.getByRole("button", { name, exact: true });
  return button.evaluate((element) => {
    const { backgroundColor, borderColor, color } = getComputedStyle(element);
    return `${backgroundColor} ${borderColor} ${color}`;
  });
}

function cutTexts(): string[] {
  return Array.from(document.querySelectorAll("input"))
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ value }) => value);
}

/** The tables that are wider than the screen, and the words that stand on two lines though they fit on one. */
function cutAndBroken(): string[] {
  const cut = [...document.querySelectorAll(".table")].flatMap((table) =>
    table.scrollWidth > table.clientWidth ? `${table.ariaLabel} is cut` : [],
  );
  const texts = document.createTreeWalker(document.querySelector("main")!, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    for (const { index, 0: word } of text.data.matchAll(/\S+/g)) {
      const range = new Range();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (word.length < 30 && lines.size > 1) broken.push(word);
    }
  }
  return [...cut, ...broken];
}
