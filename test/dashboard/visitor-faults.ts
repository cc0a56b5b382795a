import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { violationsOn } from "./everywhere.ts";
import { done, type VisitorDeeds } from "./visitor-app.ts";

function focusedId(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.querySelector("whodid-checklist")!.shadowRoot!.activeElement?.id);
}

export const visitorFaults: VisitorDeeds = {
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
