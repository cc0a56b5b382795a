import assert from "node:assert/strict";
import { join } from "node:path";
import type { LaunchOptions, Page } from "playwright-core";
import { createApp } from "../../examples/mounts/visitors.ts";
import type { Test } from "../support/suite.ts";
import { visit } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { violationsOn } from "./everywhere.ts";
import { servingNext } from "./next.ts";
import { done, fired, listeningAt, refresh, serving, start, track, type VisitorDeeds } from "./visitor-app.ts";
import { visitorFaults } from "./visitor-faults.ts";
import { visitorLooks } from "./visitor-looks.ts";
import { testVisitorTokens } from "./visitor-tokens.ts";

/** The start of the app in Next.js. */
const startOfNext = `await tracker.contacts.upsert({ email: "ada@example.com", externalId: "ada" });
await tracker.checklists.define(${JSON.stringify({ ...start, key: "onboarding" })});
`;

const deeds: VisitorDeeds = {
  ...visitorFaults,
  ...visitorLooks,
  "a visitor completes an item by a click, keeps the focus, and sees what comes next": async (opened) => {
    const { page, origin, tracker } = opened;
    await page.goto(origin);
    await done(page, 0);
    assert.equal(await page.getByText("Read our guide.").isVisible(), false);
    assert.match(await page.locator("li[aria-current=step]").innerText(), /Next: Take the tour\s+Two minutes\./);
    const button = page.getByRole("button", { name: "Mark as done" });
    await button.focus();
    await page.keyboard.press("Enter");
    await done(page, 1);
    assert.equal((await tracker.checklists.progress("ada"))[0]!.progress.completed, 1);
    assert.deepEqual(await fired(page), ["whodid-complete call"]);
    const focused = await page.evaluate(
      () => document.querySelector("whodid-checklist")!.shadowRoot!.activeElement?.id,
    );
    assert.equal(focused, "item-call");
    assert.match(await page.getByRole("status").innerText(), /^Talk to us: Done\. 1 of 3 done$/);
  },

  "a visitor's events are recorded once, and tick their items in both of two tabs": async (opened) => {
    const { origin, tracker, page, context } = opened;
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await tab.goto(origin);
      await done(tab, 0);
    }
    await page.bringToFront();
    await track(page, "tour", { source: "page" });
    await track(page, "invite");
    await done(page, 1);
    await track(page, "invite");
    await done(page, 2);
    await other.bringToFront();
    await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await done(other, 2);
    const { items } = await tracker.events.list("ada");
    assert.deepEqual(items.map(({ eventKey }) => eventKey).sort(), ["invite", "invite", "tour"]);
  },

  "a visitor's events reach the server when the page is left": async ({ page, origin, tracker }) => {
    await page.goto(origin);
    await done(page, 0);
    for (let n = 0; n < 30; n++) await track(page, "tour", { n });
    await page.goto("about:blank");
    await eventually(async () => (await tracker.events.list("ada")).items.length === 30);
  },

  "a visitor who was offline for a minute in two tabs gets its events recorded once, and both tabs show the progress":
    async (opened) => {
      const { origin, tracker, page, context, forgive } = opened;
      forgive(/ERR_INTERNET_DISCONNECTED/);
      const tabs = [page, await context.newPage()];
      for (const tab of tabs) {
        await tab.goto(origin);
        await done(tab, 0);
      }
      await context.setOffline(true);
      await track(page, "tour");
      for (const tab of tabs) await track(tab, "invite");
      await page.waitForTimeout(60_000);
      for (const tab of tabs) assert.equal(await tab.getByText("0 of 3 done", { exact: true }).isVisible(), true);
      await context.setOffline(false);
      for (const tab of tabs) await done(tab, 2);
      const { items } = await tracker.events.list("ada");
      assert.deepEqual(items.map(({ eventKey }) => eventKey).sort(), ["invite", "invite", "tour"]);
    },

  "a visitor collapses the checklist, opens it again, and dismisses it": async ({ page, origin, tracker }) => {
    await page.goto(origin);
    await page.getByRole("button", { name: "Collapse" }).click();
    const collapsed = page.getByRole("button", { name: "Get started 3 left" });
    assert.equal(await collapsed.getAttribute("aria-expanded"), "false");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Dismiss" }).click();
    await eventually(async () => (await fired(page)).includes("whodid-dismiss start"));
    assert.equal(await page.locator("whodid-checklist section").count(), 0);
    assert.equal(await page.getByText("Read our guide.").isVisible(), false);
    await tracker.checklists.restore("ada", "start");
    await refresh(page);
    await done(page, 0);
  },

  "a visitor whose click fails is told, and can click again": async ({ page, forgive, origin }) => {
    forgive(/status of 503/);
    await page.goto(origin);
    await page.route("**/complete", (route) => route.fulfill({ status: 503 }));
    for (let n = 0; n < 2; n++) await page.getByRole("button", { name: "Mark as done", disabled: false }).click();
    const row = page.locator("li", { hasText: "Talk to us" });
    assert.equal(await row.getByRole("alert").innerText(), "That did not work. Please try again.");
    await done(page, 0);
    await page.unroute("**/complete");
    await page.getByRole("button", { name: "Mark as done" }).click();
    await done(page, 1);
    assert.equal(await page.getByText("That did not work.").count(), 0);
  },

  "a visitor's click stays shown, and is told once, if the checklist cannot be asked for after it": async (opened) => {
    const { page, forgive, origin } = opened;
    forgive(/status of 503/);
    await page.goto(origin);
    await done(page, 0);
    await page.route("**/checklists", (route) => route.fulfill({ status: 503 }));
    const refused = page.waitForResponse("**/checklists");
    await page.getByRole("button", { name: "Mark as done" }).click();
    await refused;
    await refresh(page);
    await done(page, 1);
    await page.unroute("**/checklists");
    await refresh(page);
    assert.deepEqual(await fired(page), ["whodid-complete call"]);
  },

  "a visitor who has completed everything sees that": async ({ page, origin, tracker }) => {
    for (const eventKey of ["tour", "invite", "invite"]) await tracker.events.track({ externalId: "ada", eventKey });
    await tracker.checklists.complete("ada", "start", "call");
    await page.goto(origin);
    await page.getByText("All done. Well done!").waitFor();
  },

  "a visitor without a session sees the host's own content, and the checklist after a log-in": async (app) => {
    const { page, forgive } = app;
    forgive(/status of 401/);
    app.visitor = null;
    await page.goto(app.origin);
    await page.getByText("Read our guide.").waitFor();
    await eventually(async () => page.evaluate(() => Boolean(customElements.get("whodid-checklist"))));
    app.visitor = "ada";
    await refresh(page);
    await done(page, 0);
    app.visitor = null;
    await page.getByRole("button", { name: "Mark as done" }).click();
    await page.getByText("Read our guide.").waitFor();
  },

  "a visitor's event that is refused warns the developer, and nothing fails": async (opened) => {
    const { page, forgive, origin, tracker } = opened;
    forgive(/^whodid: Visitors may not record events of this key\.$/);
    forgive(/^whodid: /);
    await page.goto(origin);
    await done(page, 0);
    await track(page, "not_listed");
    await track(page, "tour", { large: "x".repeat(5_000) });
    await track(page, "tour");
    await done(page, 1);
    assert.equal((await tracker.events.list("ada")).items.length, 1);
  },

  "a visitor's checklist has no violation of axe-core at any width, light and dark, from right to left, with long texts":
    async (opened) => {
      const { page, origin, tracker } = opened;
      await page.goto(origin);
      await shoot(page, "short");
      const long = "Wort ".repeat(40).slice(0, 200).trim();
      const items = Array.from({ length: 40 }, (_, n) => ({
        key: `i${n}`,
        name: n % 3 === 0 ? "x".repeat(200) : long,
        description: long,
        ...(n % 2 === 0 && { href: "/#x" }),
      }));
      await tracker.checklists.define({ ...start, name: long, description: long, items });
      await tracker.checklists.complete("ada", "start", "i0");
      for (const html of ["", 'dir="rtl"']) {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          for (const width of [320, 768, 1_280]) {
            await page.setViewportSize({ width, height: 900 });
            await page.goto(`${origin}/?html=${encodeURIComponent(html)}`);
            await page.getByText("1 of 40 done", { exact: true }).waitFor();
            await shoot(page, `${html ? "rtl" : "ltr"}-${colorScheme}-${width}`);
            assert.deepEqual(await violationsOn(page), [], `${html} ${colorScheme} ${width}`);
            const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
            assert.equal(wider, false, `${html} ${width} scrolls sideways`);
          }
        }
      }
    },
};

export function testVisitors(test: Test, options: LaunchOptions): void {
  const clickAt = (origin: string): Promise<void> =>
    visit(options, origin, async ({ page, context, forgive }) => {
      forgive(/favicon|status of 404/);
      await context.setExtraHTTPHeaders({ "x-user": "ada" });
      await page.goto(origin);
      await page.getByRole("button", { name: "Mark as done" }).click();
      await done(page, 1);
    });

  test("a visitor of the example in Express sees its checklist", () =>
    serving(async ({ tracker }) => {
      await tracker.checklists.define({ ...start, key: "onboarding" });
      await listeningAt(createApp(tracker), clickAt);
    }));

  test("a visitor of the example in Next.js sees its checklist", () => servingNext(startOfNext, clickAt));

  testVisitorTokens(test, options);
  for (const [sentence, run] of Object.entries(deeds)) {
    test(sentence, () => serving((app) => visit(options, app.origin, (visited) => run(Object.assign(app, visited)))));
  }
}

/** Writes a picture into the folder of the variable `SCREENSHOTS`, for people to look at. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
