import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { open } from "./everywhere.ts";
import { fill, places } from "./filled.ts";
import type { Deeds } from "./run.ts";

const phone = { width: 360, height: 740 };

export const lookDeeds: Deeds = {
  "a small screen shows every cell and every word whole, and the properties of events": async (
    { page, forgive },
    { tracker, url },
  ) => {
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

  "a small screen shows all links of the navigation": async ({ page }, { url }) => {
    await page.setViewportSize(phone);
    await open(page, url());
    const links = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").all();
    assert.equal(links.length, 7);
    for (const link of links) {
      const { x, width } = await boxOf(link);
      assert.ok(x >= 0 && x + width <= phone.width, (await link.textContent())!);
    }
  },

  "a rule has one negation in a row and in words": async ({ page }, { tracker, url }) => {
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
