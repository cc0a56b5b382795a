import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { done, type VisitorDeeds } from "./visitor-app.ts";

/** Reads a computed style in the element. */
function styleOf(page: Page, selector: string, property: string, pseudo = ""): Promise<string> {
  return page
    .locator("whodid-checklist")
    .evaluate(
      (element, [at, name, of]) =>
        getComputedStyle(element.shadowRoot!.querySelector(at!)!, of).getPropertyValue(name!),
      [selector, property, pseudo],
    );
}

/** What a custom property changes. */
const custom: Readonly<Record<string, [selector: string, property: string, value: string]>> = {
  accent: [".next-label", "color", "rgb(1, 2, 3)"],
  background: ["section", "background-color", "rgb(1, 2, 3)"],
  color: ["section", "color", "rgb(1, 2, 3)"],
  border: ["section", "border-top-color", "rgb(1, 2, 3)"],
  radius: ["section", "border-top-left-radius", "3px"],
  padding: ["section", "padding-top", "3px"],
};

export const visitorLooks: VisitorDeeds = {
  "a visitor's checklist has calm done items, a clear next one, a quiet menu, and a sign that it opens": async (
    opened,
  ) => {
    const { page, origin, tracker } = opened;
    await tracker.events.track({ externalId: "ada", eventKey: "tour" });
    await page.goto(origin);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await done(page, 1);
      const [text, quiet, accent] = await Promise.all(
        ["section", ".progress", ".next-label"].map((selector) => styleOf(page, selector, "color")),
      );
      assert.equal(new Set([text, quiet, accent]).size, 3);
      for (const [selector, property, value] of [
        [".done .item-name", "color", quiet],
        [".done .item-name", "text-decoration-line", "none"],
        [".done .item-name", "font-weight", "400"],
        [".done .mark", "background-color", accent],
        [".next .item-name", "font-weight", "700"],
        [".next .complete", "background-color", accent],
        ["#dismiss", "color", quiet],
        ["#dismiss", "border-top-color", "rgba(0, 0, 0, 0)"],
      ] as const)
        assert.equal(await styleOf(page, selector, property), value, `${colorScheme} ${selector} ${property}`);
      assert.notEqual(
        await styleOf(page, ".next", "background-color"),
        await styleOf(page, "li:last-child", "background-color"),
      );
      assert.notEqual(await styleOf(page, "section", "border-top-color"), text);
      const gap = Number.parseFloat(await styleOf(page, "ul", "margin-top"));
      assert.ok(gap >= 12, `${gap} px between the progress and the first item`);
      await page.getByRole("button", { name: "Collapse" }).click();
      // Without a content there is no such box.
      const sign = ["content", "border-bottom-width"].map((property) =>
        styleOf(page, ".collapsed", property, "::after"),
      );
      assert.deepEqual(await Promise.all(sign), ['""', "2px"]);
      await page.keyboard.press("Enter");
      assert.equal(await styleOf(page, "#toggle", "outline-style"), "solid");
    }
  },

  "a visitor's checklist takes each custom property of the page": async ({ page, origin }) => {
    await page.goto(origin);
    await done(page, 0);
    for (const [name, [selector, property, value]] of Object.entries(custom)) {
      await page
        .locator("whodid-checklist")
        .evaluate((element, [of, to]) => element.style.setProperty(`--whodid-${of!}`, to!), [name, value]);
      assert.equal(await styleOf(page, selector, property), value, name);
    }
  },
};
