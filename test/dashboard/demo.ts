import assert from "node:assert/strict";
import type { LaunchOptions } from "playwright-core";
import { startCommand } from "../support/server-process.ts";
import type { Test } from "../support/suite.ts";
import { visit } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { violationsOn } from "./everywhere.ts";
import { visitInWebkit } from "./webkit.ts";

const enter = "\uE007";

/** Runs with the origin of `whodid serve --demo`. */
async function servingDemo(run: (origin: string, key: string) => Promise<void>): Promise<void> {
  const { child, output } = startCommand(["serve", "--demo"], { PORT: "0" });
  try {
    await eventually(async () => output.stderr.includes('"start"'));
    const [, origin = ""] = /(http:\S+)\/demo/.exec(output.stdout)!;
    await run(origin, /sk_\S{43}/.exec(output.stdout)![0]);
  } finally {
    child.kill("SIGKILL");
  }
}

export function testDemo(test: Test, options: LaunchOptions): void {
  test("a visitor of the demo acts, sees its checklist fill, and the dashboard shows it", () =>
    servingDemo((origin, key) =>
      visit(options, origin, async ({ page }) => {
        await page.goto(`${origin}/demo`);
        await page.getByText("0 of 4 done", { exact: true }).waitFor();
        assert.deepEqual(await violationsOn(page), []);
        await page.getByRole("button", { name: "Create a project" }).click();
        await page.getByText("1 of 4 done", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Mark as done" }).click();
        await page.getByText("2 of 4 done", { exact: true }).waitFor();
        await page.getByRole("link", { name: "dashboard" }).click();
        await page.getByLabel("API key", { exact: true }).fill(key);
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name: "Guest" }).waitFor();
      }),
    ));
}

export function testDemoInWebkit(test: Test, root: string): void {
  test("a visitor of the demo in WebKit acts, sees its checklist fill, collapses, opens and dismisses it", () =>
    servingDemo((origin) =>
      visitInWebkit(root, async ({ open, see, click, press }) => {
        await open(`${origin}/demo`);
        await see("p", "0 of 4 done");
        await click("button", "Create a project");
        await see("p", "1 of 4 done");
        await press("button", "Mark as done", enter);
        await see("p", "2 of 4 done");
        await click("button", "Collapse");
        await press("button", "Onboarding 2 left", enter);
        await click("button", "Dismiss");
        await see("p", "You can restore a dismissed checklist on your page in the dashboard.");
        await press("button", "Undo", enter);
        await see("p", "2 of 4 done");
      }),
    ));
}
