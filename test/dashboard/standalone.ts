import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type LaunchOptions, type Page } from "playwright-core";
import type { NewApiKey } from "../../lib/index.ts";
import type { Database } from "../support/database.ts";
import { runCommand } from "../support/server-process.ts";
import type { Test } from "../support/suite.ts";
import { visit, type Visit } from "./browser.ts";
import { open } from "./everywhere.ts";
import { eventually } from "./eventually.ts";
import { fill, places } from "./filled.ts";
import { serve, type Served } from "./mounts.ts";
import { assertWebhookShown } from "./subscriptions.ts";

const seats = { key: "seats", type: "number", name: "Seats" } as const;
const hoursMs = 60 * 60 * 1_000;

/** The server's own dashboard, which opens with an API key. */
export function testStandalone(test: Test, options: LaunchOptions, database: Database | null): void {
  const testServed = (name: string, run: (visited: Visit, served: Served) => Promise<void>): void => {
    test(name, async () => {
      const served = await serve(database);
      try {
        await visit(options, served.origin, (visited) => {
          visited.forgive(/status of 401/);
          return run(visited, served);
        });
      } finally {
        await served.close();
      }
    });
  };

  testServed(
    "a wrong key is refused, the right one opens the page that was asked for",
    async ({ page, context }, served) => {
      await page.goto(served.url("attributes"));
      for (const [wrong, told] of [
        ["", "An API key begins with sk_."],
        ["kéy", "An API key begins with sk_."],
        [`sk_${"A".repeat(43)}`, "The server does not know this key, or it has ended."],
      ] as const) {
        await submit(page, wrong);
        await page.getByText(told).waitFor();
      }
      await logIn(page, `  ${await keyOf(served)}\n`);
      await page.getByRole("heading", { level: 1, name: "Attributes" }).waitFor();
      await page.getByText("default, ada").waitFor();
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Attributes" }).waitFor();
      assert.deepEqual(await context.cookies(), []);
      assert.equal(page.url().includes("sk_"), false);
    },
  );

  testServed(
    "a key sees the pages and deeds of its access, of its own workspace alone",
    async ({ context, forgive }, served) => {
      forgive(/status of 40[04]/);
      const other = served.tracker.workspace("other");
      await fill(served.tracker);
      await other.contacts.upsert({ email: "bob@example.com" });
      const pages = await Promise.all([1, 2, 3].map(() => context.newPage()));
      // Before a tab has a key that the others would take.
      for (const page of pages) await page.goto(served.url("contacts"));
      for (const page of pages) await page.getByLabel("API key", { exact: true }).waitFor();
      const [admin, write, read] = pages as [Page, Page, Page];
      await logIn(admin, (await other.apiKeys.create({ name: "root", access: "admin" })).key);
      await logIn(write, await keyOf(served, { access: "write" }));
      await logIn(read, await keyOf(served, { access: "read" }));
      await admin.getByText("bob@example.com").waitFor();
      assert.equal(await admin.getByText("ada@example.com").count(), 0);
      await admin.getByRole("link", { name: "API Keys" }).waitFor();
      const counts = [await deedsOf(read, served), await deedsOf(write, served)];
      assert.ok(counts[0]! < counts[1]!, String(counts)); // The second deletes the contact, and so changes the pages.
      await read.goto(served.url("api-keys"));
      await read.getByText("This page needs another API key").waitFor();
      await read.goto(served.url("checklists/onboarding"));
      await read.locator("main input").first().waitFor();
      assert.equal(await read.locator("main").locator("input:enabled, select:enabled").count(), 0);
      for (const page of [write, read]) await assertWebhookShown(page, served.url("subscriptions/partner"));
      await read.goto(served.url("audiences/new"));
      await read.getByText("There is no such audience.").waitFor();
    },
  );

  testServed(
    "a link opens in a new tab, and a log-out ends all tabs of the key and what they keep",
    async ({ page, context }, served) => {
      await page.goto(served.url("audiences/new-audience"));
      await logIn(page, await keyOf(served));
      await page.getByLabel("Name").first().fill("Typed");
      const second = await context.newPage();
      await second.goto(served.url("attributes"));
      await second.getByRole("heading", { level: 1, name: "Attributes" }).waitFor();
      await second.getByRole("button", { name: "Log out" }).click();
      for (const tab of [page, second]) {
        await tab.getByLabel("API key", { exact: true }).waitFor();
        assert.equal(await tab.locator("main h1").count(), 0);
        assert.deepEqual(await tab.evaluate(() => Object.keys(sessionStorage)), ["whodid /dashboard out"]);
      }
      // It asks no other tab after a log-out.
      await logIn(second, await keyOf(served, { name: "bob" }));
      await page.reload();
      await page.getByLabel("API key", { exact: true }).waitFor();
      await page.goBack();
      assert.equal(await page.locator("main h1").count(), 0);
    },
  );

  testServed("a page that comes back loads anew if its tab has another key, or none", async ({ page }, served) => {
    await page.goto(served.url());
    await logIn(page, await keyOf(served));
    const comeBack = (): Promise<void> =>
      page.evaluate(() => {
        dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
        if (!document.body.hidden) throw new Error("The page shows while it is away.");
        dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
      });
    await comeBack();
    await page.locator("main h1").waitFor();
    await page.evaluate(() => sessionStorage.removeItem("whodid /dashboard key"));
    await comeBack();
    await page.getByLabel("API key", { exact: true }).waitFor();
  });

  testServed(
    "a tab that nobody has used for 12 hours is logged out, by its next request too",
    async ({ page }, served) => {
      for (const use of [() => page.getByRole("link", { name: "Events" }).click(), () => page.reload()]) {
        await page.goto(served.url());
        await logIn(page, await keyOf(served));
        await page.locator("main h1").waitFor();
        const past = String(Date.now() - 12.1 * hoursMs);
        await page.evaluate((used) => sessionStorage.setItem("whodid /dashboard used", used), past);
        await use();
        await page.getByLabel("API key", { exact: true }).waitFor();
        assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage)), ["whodid /dashboard out"]);
      }
    },
  );

  testServed(
    "a key that ended asks for another over the page, and what was typed stays in its workspace",
    async ({ page }, served) => {
      const { key, apiKey } = await served.tracker.apiKeys.create({ name: "brief", access: "admin" });
      // A list that is still loading when its key ends asks for another key before the form is sent.
      const logInAndLoad = async (accepted: string): Promise<void> => {
        const listed = page.waitForResponse((answer) => answer.url().endsWith("/attributes") && answer.ok());
        await logIn(page, accepted);
        await listed;
      };
      await page.goto(served.url("attributes"));
      await logInAndLoad(key);
      await typeAttribute(page);
      await served.tracker.apiKeys.revoke(apiKey.id);
      await create(page);
      await logInAndLoad(await keyOf(served));
      assert.equal(await page.getByLabel("Key", { exact: true }).inputValue(), seats.key);
      const [last] = (await served.tracker.apiKeys.list()).slice(-1);
      await served.tracker.apiKeys.revoke(last!.id);
      await create(page);
      const other = served.tracker.workspace("other");
      await logIn(page, (await other.apiKeys.create({ name: "root", access: "admin" })).key);
      await page.getByText("other, root").waitFor();
      assert.equal(await page.getByLabel("Key", { exact: true }).count(), 0);
      assert.deepEqual([await other.attributes.list(), await served.tracker.attributes.list()], [[], []]);
    },
  );

  testServed(
    "a used up limit and a proxy that refuses are said, and log nobody out",
    async ({ page, forgive }, served) => {
      forgive(/status of 429/);
      const told = page.getByText("Something in front of the server refused the request, with status 401.").first();
      const refuse = (): Promise<unknown> =>
        page.route("**/api/v1/**", (route) => route.fulfill({ status: 401, body: "no" }));
      await page.goto(served.url("attributes"));
      await refuse();
      await submit(page, await keyOf(served));
      await told.waitFor();
      await page.unroute("**/api/v1/**");
      await logIn(page, await keyOf(served));
      await refuse();
      await page.getByRole("link", { name: "Events" }).click();
      await told.waitFor();
      await page.unroute("**/api/v1/**");
      await page.getByText("Something in front").first().waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Log out" }).click();
      await logIn(page, await keyOf(served, { requestsPerMinute: 3 }));
      await page.getByText(/^The key's limit of 3 a minute is used up\. Going on in \d+ s\.$/).waitFor();
    },
  );

  testServed(
    "a save that is sent again while a key of another workspace comes is not saved there",
    async ({ page, forgive }, served) => {
      forgive(/status of 503/);
      const { key, apiKey } = await served.tracker.apiKeys.create({ name: "brief", access: "admin" });
      await page.goto(served.url("attributes"));
      await logIn(page, key);
      let isLeaving = false;
      await page.route("**/api/v1/attributes/seats", (route) =>
        isLeaving ? route.continue() : route.fulfill({ status: 503 }),
      );
      await typeAttribute(page);
      await create(page);
      await page.getByText("The server does not answer. Trying again…").waitFor();
      await served.tracker.apiKeys.revoke(apiKey.id);
      await page.evaluate(() => (location.hash = "#/events"));
      await page.getByLabel("API key", { exact: true }).waitFor();
      await page.route("**/dashboard", async (route) => {
        isLeaving = true;
        await new Promise((resolve) => setTimeout(resolve, 5_000));
        await route.continue();
      });
      const other = served.tracker.workspace("other");
      await submit(page, (await other.apiKeys.create({ name: "root", access: "admin" })).key);
      await page.getByText("other, root").waitFor();
      assert.deepEqual(await other.attributes.list(), []);
    },
  );

  testServed(
    "a key that is typed stays when one that another tab offered is accepted late",
    async (visited, served) => {
      const { page, context } = visited;
      await page.goto(served.url());
      await logIn(page, await keyOf(served));
      const second = await context.newPage();
      let letGo = (): void => {};
      const held = new Promise<void>((resolve) => (letGo = resolve));
      let asked = 0;
      await second.route("**/api/v1/key", async (route) => {
        if (asked++ === 0) await held;
        await route.continue();
      });
      await second.addInitScript(() => {
        const { postMessage } = BroadcastChannel.prototype;
        // Longer than the 300 ms, so that the answer is late.
        BroadcastChannel.prototype.postMessage = function (message) {
          setTimeout(() => postMessage.call(this, message), 500);
        };
      });
      await second.goto(served.url());
      await eventually(async () => asked > 0);
      const other = served.tracker.workspace("other");
      await submit(second, (await other.apiKeys.create({ name: "root", access: "admin" })).key);
      await second.getByText("other, root").waitFor();
      const answered = second.waitForResponse((response) => response.url().endsWith("/key"));
      letGo();
      await answered;
      await second.reload();
      await second.getByText("other, root").waitFor();
    },
  );

  testServed("a tab does not take the key of one that logs out meanwhile", async ({ page, context }, served) => {
    await page.goto(served.url());
    await logIn(page, await keyOf(served));
    const second = await context.newPage();
    await second.addInitScript(() => {
      const wait = setTimeout;
      // Longer than the 300 ms, so that the log-out comes before their end.
      Object.assign(window, { setTimeout: (run: () => void, ms: number) => wait(run, ms === 300 ? 3_000 : ms) });
    });
    await second.goto(served.url());
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByLabel("API key", { exact: true }).waitFor();
    await second.getByLabel("API key", { exact: true }).waitFor();
  });

  testServed("a tab without room in its storage works until it is loaded again", async ({ page }, served) => {
    await page.goto(served.url());
    await page.evaluate(() => {
      for (let size = 2 ** 20, n = 0; size >= 1; n++) {
        try {
          sessionStorage.setItem(String(n), "x".repeat(size));
        } catch {
          size /= 2;
        }
      }
    });
    await logIn(page, await keyOf(served));
    await page.getByRole("link", { name: "Attributes" }).click();
    await page.getByRole("heading", { level: 1, name: "Attributes" }).waitFor();
  });

  testServed("the form of a new key begins with what the own key may give", async ({ page }, served) => {
    const expiresAt = new Date(Date.now() + hoursMs);
    await page.goto(served.url("api-keys"));
    await logIn(page, await keyOf(served, { requestsPerMinute: 600, expiresAt }));
    await page.getByRole("button", { name: "Create API Key" }).click();
    await page.getByLabel("Name").fill("made");
    await create(page);
    await page.getByRole("button", { name: "I have stored it" }).click();
    const made = (await served.tracker.apiKeys.list()).find(({ name }) => name === "made");
    assert.deepEqual([made?.requestsPerMinute, made?.expiresAt], [600, expiresAt.toISOString()]);
  });

  testServed(
    "what was typed is kept while the server is gone, and saved when it is back",
    async ({ page, forgive }, served) => {
      forgive(/net::ERR_/);
      await page.goto(served.url("attributes"));
      await logIn(page, await keyOf(served));
      await typeAttribute(page);
      await served.stop();
      await create(page);
      await page.getByText("The server does not answer. Trying again…").waitFor();
      await served.start();
      await page.getByRole("cell", { name: "Seats seats" }).waitFor();
    },
  );

  test("a revocation by the command ends the page, and the browser's disk keeps no contact", async () => {
    const served = await serve(database);
    const folder = mkdtempSync(join(tmpdir(), "whodid-profile-"));
    const context = await chromium.launchPersistentContext(folder, options);
    try {
      await served.tracker.contacts.upsert({ email: "findme@example.com" });
      const page = await context.newPage();
      await page.goto(served.url("contacts"));
      const { key, apiKey } = await served.tracker.apiKeys.create({ name: "ada", access: "admin" });
      await logIn(page, key);
      await page.getByText("findme@example.com").first().waitFor();
      if (served.databaseUrl) await runCommand(["keys", "revoke", apiKey.id], { DATABASE_URL: served.databaseUrl });
      else await served.tracker.apiKeys.revoke(apiKey.id);
      await eventually(async () => {
        for (const name of ["Attributes", "Contacts"]) {
          const link = page.getByRole("link", { name });
          await link.click({ timeout: 1_000 }).catch(() => {});
        }
        return (await page.getByLabel("API key", { exact: true }).count()) > 0;
      });
      await context.close();
      const holding = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => {
        const path = join(folder, name);
        return statSync(path).isFile() && readFileSync(path).includes("findme@example.com");
      });
      assert.deepEqual(holding, []);
    } finally {
      await context.close();
      await served.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** Tries every button of every page, and the one that confirms. Resolves with their number; fails if one is answered with 403. */
async function deedsOf(page: Page, served: Served): Promise<number> {
  const refused: string[] = [];
  page.on("response", (response) => void (response.status() === 403 && refused.push(response.url())));
  let tried = 0;
  for (const place of places) {
    await open(page, served.url(place));
    const buttons = page.locator("main button:not([disabled])");
    const count = await buttons.count();
    for (let n = 0; n < count; n++, tried++) {
      await open(page, served.url(place));
      await buttons
        .nth(n)
        .click({ timeout: 2_000 })
        .catch(() => {});
      const confirm = page.getByRole("dialog").getByRole("button").last();
      if ((await confirm.count()) > 0) await confirm.click();
      await page.waitForLoadState("networkidle");
    }
  }
  assert.deepEqual(refused, []);
  return tried;
}

async function keyOf({ tracker }: Served, settings: Partial<NewApiKey> = {}): Promise<string> {
  return (await tracker.apiKeys.create({ name: "ada", access: "admin", requestsPerMinute: 9_999, ...settings })).key;
}

async function submit(page: Page, key: string): Promise<void> {
  await page.getByLabel("API key", { exact: true }).fill(key);
  await page.getByRole("button", { name: "Log in" }).click();
}

async function logIn(page: Page, key: string): Promise<void> {
  await submit(page, key);
  await page.getByLabel("API key", { exact: true }).waitFor({ state: "detached" });
}

async function create(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
}

async function typeAttribute(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create attribute" }).first().click();
  await page.getByLabel("Key", { exact: true }).fill(seats.key);
  await page.getByLabel("Type").selectOption(seats.type);
  await page.getByLabel("Name").fill(seats.name);
}
