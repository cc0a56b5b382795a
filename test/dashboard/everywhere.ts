import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { fill, hostileNames, places } from "./filled.ts";
import type { Deeds } from "./run.ts";

/** What holds on every page. */
export const deedsEverywhere: Deeds = {
  "no page has a violation of axe-core, light or dark, wide or narrow, or scrolls sideways": async (opened) => {
    const { page, forgive, tracker, url } = opened;
    await fill(tracker);
    forgive(/status of 404/);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const place of places) {
        await page.setViewportSize({ width: colorScheme === "light" ? 1_280 : 360, height: 900 });
        await open(page, url(place));
        assert.deepEqual(await violationsOn(page), [], `${place}, ${colorScheme}`);
        await page.setViewportSize({ width: 360, height: 900 });
        assert.deepEqual(await page.evaluate(widerThanTheWindow), [], `${place} scrolls sideways`);
      }
    }
  },

  "names that are markup show as text": async ({ page, tracker, url }) => {
    await fill(tracker);
    for (const [index, name] of hostileNames.entries()) {
      const email = `hostile${index}@example.com`;
      await tracker.contacts.upsert({ email, name });
      await tracker.events.track({ externalId: email, eventKey: "login", properties: { note: name } });
    }
    await tracker.audiences.define({
      key: "odd",
      name: hostileNames[0]!,
      rule: { kind: "has_done", eventKey: "login" },
    });
    for (const place of ["contacts", "events", "audiences", "audiences/odd", "subscriptions"])
      await open(page, url(place));
    for (const [index, name] of hostileNames.entries()) {
      await open(page, url(`contacts/hostile${index}%40example.com`));
      assert.equal(await page.locator("h1").textContent(), name);
    }
    assert.equal(await page.locator("#broken, img").count(), 0);
  },

  "an address that changes before anything is painted is followed": async ({ page, url }) => {
    await page.addInitScript(() => {
      // Nothing is painted.
      window.requestAnimationFrame = () => 0;
      addEventListener("load", () => void (location.hash = "#/attributes"));
    });
    await page.goto(url("events"));
    await page.getByRole("heading", { level: 1, name: "Attributes" }).waitFor();
  },

  "every page is reached by keyboard alone, and the new page has the focus": async ({ page, tracker, url }) => {
    await fill(tracker);
    await open(page, url());
    const titles = ["Contacts", "Events", "Audiences", "Checklists", "Attributes", "Subscriptions", "API Keys"];
    for (const title of titles) {
      const link = page.getByRole("link", { name: title, exact: true });
      await link.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page.waitForFunction(() => document.activeElement?.id === "main");
    }
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Subscriptions" }).waitFor();
  },
};

/** Opens a page, and waits until all of it has come. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator("main h1, main .empty").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
}

export async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** What sticks out of the window; parts that scroll by themselves may be wider inside. */
function widerThanTheWindow(): string[] {
  if (document.documentElement.scrollWidth <= window.innerWidth) return [];
  return Array.from(document.querySelectorAll("main *"))
    .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
    .map((element) => element.outerHTML.slice(0, 100));
}
