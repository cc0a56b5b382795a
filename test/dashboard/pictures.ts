/** `npm run long -- dashboard pictures` makes the pictures of the READMEs anew, of the demo's data. */
import { join } from "node:path";
import type { LaunchOptions } from "playwright-core";
import { loadDemo } from "../../server/demo.ts";
import { visit } from "./browser.ts";
import { errorOfHandler } from "./filled.ts";
import { mountInExpress } from "./mounts.ts";

/** By the name of the file, the address of the page. */
const pictures = {
  home: "home",
  contact: "contacts/u_114",
  audience: "audiences/stuck",
  events: "events/types",
  checklists: "checklists?days=90",
  subscriptions: "subscriptions/mailer",
};

export async function takePictures(options: LaunchOptions): Promise<void> {
  const mount = await mountInExpress();
  const { tracker } = mount;
  await loadDemo(tracker, Date.now());
  const events = ["purchase_completed", "support_requested"];
  await tracker.subscriptions.define({ key: "mailer", on: { contacts: true, events, audiences: ["win_back"] } });
  await tracker.work({ until: "caught-up" });
  for (const externalId of ["u_102", "u_105"])
    await tracker.events.track({ externalId, eventKey: "support_requested", properties: { topic: "billing" } });
  await tracker.subscriptions.consume("mailer", { until: "caught-up", tries: 1 }, () => {
    throw errorOfHandler("The mail service answered 550: no such mailbox.");
  });
  await visit(options, mount.origin, async ({ page }) => {
    await page.setViewportSize({ width: 1_080, height: 680 });
    for (const [name, place] of Object.entries(pictures)) {
      await page.goto(mount.url(place));
      await page.locator("main h1").first().waitFor();
      await page.waitForLoadState("networkidle");
      await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
      await page.screenshot({ path: join(import.meta.dirname, "../../../server/dashboard", `${name}.png`) });
    }
  });
  await mount.close();
}
