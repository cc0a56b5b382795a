/**
 * The dashboard in a real browser: `npm run long -- dashboard`. Uses the machine's Chromium, or fetches Debian's. Ends with
 * `N passed, N failed`, and says loudly what cannot be had. An argument chooses the tests whose sentence holds it; `pictures` makes
 * those of the READMEs anew instead.
 */
import type { LaunchOptions } from "playwright-core";
import { database } from "../support/mysql.ts";
import { leaveOut, suite, type Test } from "../support/suite.ts";
import { findBrowser, visit, type Visit } from "./browser.ts";
import { audienceDeeds } from "./audiences.ts";
import { contactDeeds } from "./contacts.ts";
import { definitionDeeds } from "./definitions.ts";
import { deedsEverywhere } from "./everywhere.ts";
import { faultDeeds } from "./faults.ts";
import { glanceDeeds } from "./glance.ts";
import { lookDeeds } from "./looks.ts";
import { memberDeeds } from "./members.ts";
import { overwritingDeeds } from "./overwriting.ts";
import { takePictures } from "./pictures.ts";
import { testDemo, testDemoInWebkit } from "./demo.ts";
import { subscriptionDeeds } from "./subscriptions.ts";
import { testStandalone } from "./standalone.ts";
import { testVisitors } from "./visitors.ts";
import { findWebkit } from "./webkit.ts";
import { mountInExpress, mountOnMysql, type Mount } from "./mounts.ts";

// Both before the first suite: one that is defined after a pause starts a run of its own.
const [browser, webkit, server] = await Promise.all([findBrowser(), findWebkit(), database()]);

/** What is done on a page, by the sentence that says what happens. */
export type Deeds = Readonly<Record<string, (opened: Visit & Mount) => Promise<void>>>;

const wanted = process.argv[2] ?? "";
if (wanted === "pictures" && !("unavailable" in browser)) {
  await takePictures(browser);
  process.exit();
}

/** These show what the storage finds, counts and announces. The others are the same on every storage. */
const storageDeeds: Deeds = { ...audienceDeeds, ...contactDeeds, ...definitionDeeds, ...subscriptionDeeds };

const deeds: Deeds = {
  ...storageDeeds,
  ...deedsEverywhere,
  ...faultDeeds,
  ...glanceDeeds,
  ...memberDeeds,
  ...overwritingDeeds,
  ...lookDeeds,
};

/** How the tests begin that end a key or the server, which a storage may notice late. */
const endings = ["a key that ended", "a revocation by the command", "what was typed is kept while the server is gone"];

/** Each deed on a dashboard and in a browser's context of its own. */
function testDeeds(test: Test, options: LaunchOptions, open: () => Promise<Mount>, of: Deeds): void {
  for (const [sentence, run] of Object.entries(of)) {
    test(sentence, async () => {
      const mount = await open();
      try {
        await visit(options, mount.origin, (visited) => run(Object.assign(mount, visited)));
      } finally {
        await mount.close();
      }
    });
  }
}

/** Most of the time a test waits for its page. */
const atOnce = 4;

/** A suite of the tests that are wanted; there may be none. */
function suiteOfWanted(name: string, define: (test: Test) => void): void {
  const tests: Parameters<Test>[] = [];
  define((...test) => void (test[0].includes(wanted) && tests.push(test)));
  if (tests.length > 0) suite({ name, atOnce }, (test) => tests.forEach((each) => test(...each)));
  else leaveOut();
}

if ("unavailable" in browser) {
  leaveOut();
  process.once("exit", () => console.log(`DASHBOARD NOT TESTED: ${browser.unavailable}`));
} else {
  suiteOfWanted("dashboard on memory, under a prefix in Express", (test) =>
    testDeeds(test, browser, mountInExpress, deeds),
  );
  suiteOfWanted("the checklist of a visitor", (test) => testVisitors(test, browser));
  suiteOfWanted("the demo", (test) => testDemo(test, browser));
  suiteOfWanted("dashboard of the server, on memory", (test) => testStandalone(test, browser, null));
  if (server) {
    suiteOfWanted("dashboard on MySQL", (test) => testDeeds(test, browser, () => mountOnMysql(server), storageDeeds));
    suiteOfWanted("dashboard of the server, on MySQL", (test) => {
      const testEnding: Test = (name, run) => void (endings.some((words) => name.startsWith(words)) && test(name, run));
      testStandalone(testEnding, browser, server);
    });
  } else leaveOut();
}

if ("unavailable" in webkit) {
  leaveOut();
  process.once("exit", () => console.log(`WEBKIT NOT TESTED: ${webkit.unavailable}`));
} else suiteOfWanted("the demo in WebKit", (test) => testDemoInWebkit(test, webkit.root));
