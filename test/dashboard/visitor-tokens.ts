import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LaunchOptions, Page } from "playwright-core";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { toListener } from "../../adapters/node-http.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import { visitors } from "../../server/visitors/index.ts";
import { inSeconds, secretsOfTest, sign } from "../server/visitors/tokens.ts";
import type { Test } from "../support/suite.ts";
import { visit, type Visit } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { done, listeningAt, refresh, start } from "./visitor-app.ts";

/** A page at an origin, and the door at another, which lists that of the page. */
interface App {
  tracker: Tracker;
  origin: string;
  src: string;
  /** The fresh tokens, which the page asks for one after the other. */
  tokens: string[];
  secrets: Record<string, readonly string[]>;
}

const pageOf = ({ src }: App, token: string): string => `<!doctype html><html lang="en"><title>An app</title>
<script type="module" src="${src}/whodid.js"></script>
<whodid-checklist src="${src}" checklist="start" token="${token}">Read our guide.</whodid-checklist></html>`;

/** A token that ends in two seconds: the door lets clocks differ by a minute. */
const endingSoon = (): string => sign({ exp: inSeconds(-58) });

async function serving(run: (app: App) => Promise<void>): Promise<void> {
  const tracker = createTracker({ storage: memoryStorage() });
  for (const workspace of [tracker, tracker.workspace("acme")]) {
    for (const externalId of ["ada", "bob"]) {
      await workspace.contacts.upsert({ email: `${externalId}@example.com`, externalId });
    }
    await workspace.checklists.define(start);
  }
  const app: App = { tracker, origin: "", src: "", tokens: [], secrets: secretsOfTest };
  const host: RequestListener = (request, response) => {
    const [path, token = ""] = request.url!.split("?");
    const policy = `default-src 'self'; script-src 'self' ${app.src}/; connect-src 'self' ${app.src}/`;
    response.setHeader("Content-Security-Policy", policy);
    response.setHeader("Content-Type", "text/html");
    response.end(path === "/token" ? app.tokens.shift() : pageOf(app, token));
  };
  const door: RequestListener = (request, response) => {
    const { origin, secrets } = app;
    const events = ["tour", "invite"];
    void toListener(visitors(tracker, { basePath: "/visitors", secrets, origins: [origin], events }))(
      request,
      response,
    );
  };
  try {
    await listeningAt(door, (at) =>
      listeningAt(host, (origin) => run(Object.assign(app, { origin, src: `${at}/visitors` }))),
    );
  } finally {
    await tracker.close();
  }
}

/** Records an event with the token of the element; without one, both get a function that fetches it. */
function track(page: Page, { src }: App, eventKey: string): Promise<void> {
  return page.evaluate(`import("${src}/whodid.js").then(({ createVisitor }) => {
    const element = (window.element ??= document.querySelector("whodid-checklist"));
    if (element.token === "") element.token = async () => (await fetch("/token")).text();
    createVisitor({ src: "${src}", token: element.token }).track("${eventKey}");
  })`);
}

const recorded = async (tracker: Pick<Tracker, "events">, externalId = "ada"): Promise<string[]> =>
  (await tracker.events.list(externalId)).items.map(({ eventKey }) => eventKey);

const ownContent = (page: Page): Promise<void> => page.getByText("Read our guide.").waitFor();

const deeds: Readonly<Record<string, (visited: Visit, app: App) => Promise<void>>> = {
  "a visitor whose token ends goes on with a fresh one of its function": async ({ page }, app) => {
    app.tokens = [endingSoon(), sign()];
    await page.goto(app.origin);
    await ownContent(page);
    await track(page, app, "tour");
    await done(page, 1);
    await page.waitForTimeout(2_100);
    for (let n = 0; n < 2; n++) await track(page, app, "invite");
    await done(page, 2);
    assert.deepEqual(app.tokens, []);
    assert.deepEqual((await recorded(app.tracker)).sort(), ["invite", "invite", "tour"]);
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
  },

  "a visitor's events of a token that ended are dropped if the fresh one is another visitor's": async (
    { page },
    app,
  ) => {
    app.tokens = [sign({ exp: inSeconds(-90) }), sign({ sub: "bob" })];
    await page.goto(app.origin);
    await ownContent(page);
    // It would ask with the tokens, too.
    await page.evaluate("window.element = document.querySelector('whodid-checklist')");
    await page.locator("whodid-checklist").evaluate((element) => element.remove());
    await track(page, app, "tour");
    await eventually(async () => app.tokens.length === 0);
    await track(page, app, "invite");
    await eventually(async () => (await recorded(app.tracker, "bob")).length > 0);
    assert.deepEqual([await recorded(app.tracker, "bob"), await recorded(app.tracker)], [["invite"], []]);
  },

  "a visitor whose secret is removed sees the host's own content, and goes on with a token of the new secret": async (
    { page },
    app,
  ) => {
    const [first, second] = secretsOfTest.default;
    await page.goto(`${app.origin}/?${sign({}, first)}`);
    await done(page, 0);
    app.secrets = { default: [second!] };
    await track(page, app, "tour");
    await page.waitForResponse((response) => response.url().endsWith("/events") && response.status() === 401);
    await refresh(page);
    await ownContent(page);
    assert.deepEqual(await recorded(app.tracker), []);
    await page
      .locator("whodid-checklist")
      .evaluate((element, token) => element.setAttribute("token", token), sign({}, second));
    await done(page, 1);
    assert.deepEqual(await recorded(app.tracker), ["tour"]);
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
        const second = element.cloneNode() as typeof element;
        second.setAttribute("token", token);
        document.body.append(second);
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
