import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LaunchOptions, Page } from "playwright-core";
import type { Tracker } from "../../lib/index.ts";
import { inSeconds, secretsOfTest, sign } from "../server/visitors/tokens.ts";
import type { Test } from "../support/suite.ts";
import { visit, type Visit } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { done, refresh } from "./visitor-app.ts";
import { inPage, pageOf, serving, track, type App } from "./visitor-token-app.ts";

const [first, second] = secretsOfTest.default as [string, string];

/** A token that ends in two seconds: the door lets clocks differ by a minute. */
const endingSoon = (): string => sign({ exp: inSeconds(-58) });
const ended = (): string => sign({ exp: inSeconds(-90) });

/** Pairs of tokens of one visitor, and pairs of two: the library lowers A to Z alone. */
const pairs: Readonly<Record<"same" | "two", [object, object][]>> = {
  same: [
    [{ sub: "ada@example.com" }, { sub: "Ada@Example.COM", exp: inSeconds(60) }],
    [{}, { workspace: "default" }],
    [{ sub: "1é" }, { sub: "1é", name: "É" }],
  ],
  two: [
    [{}, { sub: "bob" }],
    [{}, { workspace: "acme" }],
    [{ sub: "é" }, { sub: "É" }],
    [{ sub: "k" }, { sub: "\u212a" }],
  ],
};

/** How a page replaces the token of its element by one of another visitor. */
const replacements: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "element.token = TOKEN": { sub: "bob" },
  'element.token = undefined; element.setAttribute("token", TOKEN)': { workspace: "acme" },
};

const recorded = async (tracker: Pick<Tracker, "events">, externalId = "ada"): Promise<string[]> =>
  (await tracker.events.list(externalId)).items.map(({ eventKey }) => eventKey);

const ownContent = (page: Page): Promise<void> => page.getByText("Read our guide.").waitFor();

const deeds: Readonly<Record<string, (visited: Visit, app: App) => Promise<void>>> = {
  "a visitor whose token ends goes on with a fresh one of its function": async ({ page }, app) => {
    app.tokens = [endingSoon(), sign()];
    const urls: string[] = [];
    page.on("request", (request) => urls.push(request.url()));
    await page.goto(app.origin);
    await ownContent(page);
    await track(page, app, "tour");
    await done(page, 1);
    await page.waitForTimeout(2_100);
    for (let n = 0; n < 2; n++) await track(page, app, "invite");
    await done(page, 2);
    assert.deepEqual(app.tokens, []);
    assert.deepEqual((await recorded(app.tracker)).sort(), ["invite", "invite", "tour"]);
    // The parts of a token begin like this.
    assert.deepEqual([urls.filter((url) => url.includes("eyJ")), page.url()], [[], `${app.origin}/`]);
    const kept = `[localStorage.length, sessionStorage.length, document.cookie, name, history.state,
      (await indexedDB.databases()).length, (await caches.keys()).length, document.documentElement.outerHTML.includes("eyJ")]`;
    assert.deepEqual(await inPage(page, app, `return ${kept}`), [0, 0, "", "", null, 0, 0, false]);
  },

  "a visitor whose function has no token that holds sees the host's own content, and each request asks once more":
    async ({ page }, app) => {
      const old = sign({}, first);
      app.tokens = ["", old, "", old, old, sign({}, second)];
      await page.goto(app.origin);
      await inPage(page, app, "await element.refresh()");
      await done(page, 0);
      app.secrets = { default: [second] };
      for (const left of [3, 1]) {
        await refresh(page);
        await ownContent(page);
        assert.equal(app.tokens.length, left);
      }
      await refresh(page);
      await done(page, 0);
    },

  "a visitor's requests that meet the end of a token together share a fresh one": async ({ page }, app) => {
    app.tokens = [sign({}, first), sign({}, second)];
    await page.goto(app.origin);
    await inPage(page, app, "await element.refresh()");
    app.secrets = { default: [second] };
    await inPage(page, app, `element.refresh(); element.shadowRoot.querySelector(".complete").click()`);
    await done(page, 1);
    assert.deepEqual(app.tokens, []);
  },

  "visitors are told apart by workspace and sub, in any case of A to Z, by src and by function": async (
    { page },
    app,
  ) => {
    await page.goto(app.origin);
    for (const [kind, all] of Object.entries(pairs)) {
      for (const pair of all) {
        const [token, other] = pair.map((claims) => JSON.stringify(sign(claims as Record<string, unknown>)));
        const code = `return createVisitor({ src, token: ${token} }) === createVisitor({ src, token: ${other} })`;
        assert.equal(await inPage(page, app, code), kind === "same", JSON.stringify(pair));
      }
    }
    const code = `const functions = [fetchToken, fetchToken, async () => "x"];
      const [a, b, c] = functions.map((token) => createVisitor({ src, token }));
      return [a === b, a === c, a === createVisitor({ src: "/other", token: fetchToken }), a === createVisitor({ src })]`;
    assert.deepEqual(await inPage(page, app, code), [true, false, false, false]);
  },

  "a visitor whose token is set before the module runs sees its checklist, and the next one nothing of it": async (
    { page },
    app,
  ) => {
    await page.route("**/whodid.js", async (route) => {
      await page.locator("whodid-checklist").evaluate((element, token) => Object.assign(element, { token }), sign());
      await route.continue();
    });
    await page.goto(app.origin);
    await done(page, 0);
    for (const [code, claims] of Object.entries(replacements)) {
      const token = JSON.stringify(sign(claims));
      const isEmpty = `${code.replace("TOKEN", token)}; return element.shadowRoot.querySelector("section") === null`;
      assert.equal(await inPage(page, app, isEmpty), true, code);
      await done(page, 0);
    }
  },

  "a visitor's events of a token that ended are dropped if the fresh one is another visitor's": async (
    { page },
    app,
  ) => {
    app.tokens = [ended(), sign({ sub: "bob" })];
    await page.goto(app.origin);
    await ownContent(page);
    // It would ask with the tokens, too.
    await page.evaluate("window.element = document.querySelector('whodid-checklist')");
    await page.locator("whodid-checklist").evaluate((element) => element.remove());
    await track(page, app, "tour");
    await eventually(async () => app.tokens.length === 0);
    // An event from before the page has read the fresh token is dropped, too.
    await eventually(async () => {
      await track(page, app, "invite");
      return (await recorded(app.tracker, "bob")).length > 0;
    });
    assert.deepEqual(new Set(await recorded(app.tracker, "bob")), new Set(["invite"]));
    assert.deepEqual(await recorded(app.tracker), []);
  },

  "a visitor's events that are sent while a fresh token is fetched are dropped if that is another visitor's": async (
    { page },
    app,
  ) => {
    app.tokens = [sign({}, first), sign({ sub: "bob" }, second)];
    await page.goto(app.origin);
    await inPage(page, app, "await element.refresh()");
    app.secrets = { default: [second] };
    await page.route("**/token", async (route) => {
      // The page is left, and sends all at once.
      await track(page, app, "tour");
      await page.evaluate(() => dispatchEvent(new Event("pagehide")));
      await route.continue();
    });
    await refresh(page);
    await done(page, 0);
    await track(page, app, "invite");
    await eventually(async () => (await recorded(app.tracker, "bob")).length > 0);
    assert.deepEqual([await recorded(app.tracker, "bob"), await recorded(app.tracker)], [["invite"], []]);
  },

  "a visitor whose secret is removed sees the host's own content, and goes on with a token of the new secret": async (
    { page },
    app,
  ) => {
    await app.tracker.contacts.upsert({ email: "eve@example.com" });
    await page.goto(`${app.origin}/?${sign({ sub: "eve@example.com" }, first)}`);
    await done(page, 0);
    app.secrets = { default: [second] };
    await track(page, app, "tour");
    await page.waitForResponse((response) => response.url().endsWith("/events") && response.status() === 401);
    await refresh(page);
    await ownContent(page);
    assert.deepEqual(await recorded(app.tracker, "eve@example.com"), []);
    await page
      .locator("whodid-checklist")
      .evaluate((element, token) => element.setAttribute("token", token), sign({ sub: "EVE@example.com" }, second));
    await done(page, 1);
    assert.deepEqual(await recorded(app.tracker, "eve@example.com"), ["tour"]);
  },

  "visitors of two tabs and of two workspaces, with one src, each have their own progress": async (visited, app) => {
    const { page, context } = visited;
    const other = await context.newPage();
    await app.tracker.checklists.complete("bob", "start", "call");
    await page.goto(`${app.origin}/?${sign()}`);
    await other.goto(`${app.origin}/?${sign({ sub: "bob" })}`);
    await done(other, 1);
    await done(page, 0);
    await page.bringToFront();
    await track(page, app, "tour");
    await page.locator("whodid-checklist").evaluate(
      (element, token) => {
        const copy = element.cloneNode() as typeof element;
        copy.setAttribute("token", token);
        document.body.append(copy);
      },
      sign({ workspace: "acme" }),
    );
    await done(page, 1);
    await done(page, 0);
    assert.deepEqual(await recorded(app.tracker.workspace("acme")), []);
  },

  "pages of another origin, of a file and in a sandbox see the host's own content": async ({ page }, app) => {
    const html = pageOf(app, sign());
    const folder = await mkdtemp(join(tmpdir(), "whodid-page-"));
    try {
      await writeFile(join(folder, "page.html"), html);
      for (const url of [app.origin.replace("127.0.0.1", "localhost"), `file://${folder}/page.html`, app.src]) {
        await page.goto(url === app.src ? `${app.src}/whodid.js` : `${url}?${sign()}`);
        // In a sandbox the origin of a page is `null`.
        if (url === app.src) await page.setContent(`<iframe sandbox="allow-scripts" srcdoc='${html}'></iframe>`);
        const frame = page.frames().at(-1)!;
        await frame.waitForFunction(() => customElements.get("whodid-checklist"));
        await frame.locator("whodid-checklist").evaluate((element) => (element as { refresh?(): unknown }).refresh!());
        await frame.getByText("Read our guide.").waitFor();
        assert.equal(await frame.getByText("0 of 3 done").count(), 0, url);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

export function testVisitorTokens(test: Test, options: LaunchOptions): void {
  for (const [sentence, run] of Object.entries(deeds)) {
    test(sentence, () =>
      serving((app) =>
        visit(options, app.origin, (visited) => {
          visited.forgive(
            /^asked (?:http:\/\/(?:127\.0\.0\.1|localhost)|file:|about:)|status of 40[14]|favicon|CORS|ERR_FAILED/,
          );
          return run(visited, app);
        }),
      ),
    );
  }
}
