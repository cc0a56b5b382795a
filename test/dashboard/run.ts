/**
 * The dashboard in a real browser: `npm run test:dashboard`. Uses the machine's Chromium, or fetches Debian's. Ends with
 * `N passed, N failed`, and says loudly what cannot be had.
 */
import type { LaunchOptions } from "playwright-core";
import { database } from "../support/mysql.ts";
import { leaveOut, suite, type Test } from "../support/suite.ts";
import { findBrowser, visit, type Visit } from "./browser.ts";
import { contactDeeds } from "./contacts.ts";
import { deedsEverywhere } from "./everywhere.ts";
import { faultDeeds } from "./faults.ts";
import { mountInExpress, mountOnMysql, type Mount } from "./mounts.ts";

// Both before the first suite: one that is defined after a pause starts a run of its own.
const [browser, server] = await Promise.all([findBrowser(), database()]);

/** What is done on a page, by the sentence that says what happens. */
export type Deeds = Readonly<Record<string, (visit: Visit, mount: Mount) => Promise<void>>>;

const deeds: Deeds = { ...contactDeeds, ...deedsEverywhere, ...faultDeeds };

/** Each deed on a dashboard and in a browser of its own. */
function testDeeds(test: Test, options: LaunchOptions, open: () => Promise<Mount>): void {
  for (const [sentence, run] of Object.entries(deeds)) {
    test(sentence, async () => {
      const mount = await open();
      try {
        await visit(options, mount.origin, (visited) => run(visited, mount));
      } finally {
        await mount.close();
      }
    });
  }
}

if ("unavailable" in browser) {
  leaveOut();
  process.once("exit", () => console.log(`DASHBOARD NOT TESTED: ${browser.unavailable}`));
} else {
  suite("dashboard on memory, under a prefix in Express", (test) => testDeeds(test, browser, mountInExpress));
  if (server) suite("dashboard on MySQL", (test) => testDeeds(test, browser, () => mountOnMysql(server)));
  else leaveOut();
}
