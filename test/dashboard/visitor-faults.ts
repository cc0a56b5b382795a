import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { violationsOn } from "./everywhere.ts";
import { done, refresh, type VisitorDeeds } from "./visitor-app.ts";

function focusedId(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.querySelector("whodid-checklist")!.shadowRoot!.activeElement?.id);
}

const listenedTo = ["visibilitychange", "pagehide", "online", "whodid-write"];

/** The number of our listeners on the window and the document. */
async function listenersOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  let count = 0;
  for (const expression of ["window", "document"]) {
    const { result } = await session.send("Runtime.evaluate", { expression });
    const { listeners } = await session.send("DOMDebugger.getEventListeners", { objectId: result.objectId! });
    count += listeners.filter(({ type }) => listenedTo.includes(type)).length;
  }
  return count;
}

export const visitorFaults: VisitorDeeds = {
  "a visitor's page has one visitor for each src, with one set of listeners": async ({ page }, { origin }) => {
    await page.goto(origin);
    await done(page, 0);
    const before = await listenersOf(page);
    for (const src of ["/me", "/me/"]) {
      const isSame = await page.evaluate(
        (of) => (window as unknown as { isVisitor(src: string): boolean }).isVisitor(of),
        src,
      );
      assert.equal(isSame, true, src);
    }
    assert.equal(await listenersOf(page), before);
  },

  "a visitor's page keeps no listeners of elements that are gone": async ({ page, forgive }, { origin }) => {
    forgive(/status of 404/);
    await page.goto(origin);
    await done(page, 0);
    const before = await listenersOf(page);
    await page.evaluate(() => {
      for (const src of ["/me", "/a", "/b"]) {
        const element = document.createElement("whodid-checklist");
        element.setAttribute("src", src);
        document.body.append(element);
        element.remove();
      }
    });
    assert.equal(await listenersOf(page), before);
    const element = await page.locator("whodid-checklist").elementHandle();
    await element!.evaluate((own) => own.remove());
    assert.equal(await listenersOf(page), before - 2);
    await page.evaluate((own) => document.body.append(own!), element);
    assert.equal(await listenersOf(page), before);
    await refresh(page);
    await done(page, 0);
  },

  "a visitor who dismisses the checklist can undo that for 10 s, and as long as the undo has the focus": async (
    { page },
    { origin, tracker },
  ) => {
    await page.clock.install();
    await page.goto(origin);
    const undo = page.getByRole("button", { name: "Undo", exact: true });
    await page.getByRole("button", { name: "Dismiss" }).click();
    await undo.waitFor();
    assert.equal(await focusedId(page), "undo");
    assert.equal(await page.getByRole("status").innerText(), "Get started: Dismissed. Undo");
    assert.deepEqual(await violationsOn(page), []);
    await page.keyboard.press("Enter");
    await done(page, 0);
    assert.equal(await focusedId(page), "dismiss");
    assert.equal((await tracker.checklists.progress("ada"))[0]!.dismissedAt, null);
    await page.keyboard.press("Enter");
    await undo.waitFor();
    await page.clock.runFor(60_000);
    assert.equal(await focusedId(page), "undo");
    await undo.evaluate((button) => button.blur());
    await page.clock.runFor(1_000);
    await undo.waitFor({ state: "detached" });
    assert.equal(await page.getByRole("status").innerText(), "");
  },
};
