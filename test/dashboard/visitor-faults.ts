import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import { eventually } from "./eventually.ts";
import { violationsOn } from "./everywhere.ts";
import { done, refresh, track, type App, type VisitorDeeds } from "./visitor-app.ts";

/** JSON that no door answers. */
const oddAnswers: unknown[] = [
  null,
  5,
  "x",
  [],
  {},
  { items: 5 },
  { items: [null] },
  { items: [{}] },
  { checklist: {} },
];

async function keysOf({ tracker }: App, externalId: string): Promise<string[]> {
  return (await tracker.events.list(externalId)).items.map(({ eventKey }) => eventKey);
}

/**
 * Holds each request with events. Returns a function that lets the next one go, or answers it with the JSON, and resolves with
 * the status.
 */
async function holdEvents(page: Page): Promise<(json?: unknown) => Promise<number>> {
  const held: Route[] = [];
  await page.route("**/events", (route) => void held.push(route));
  return async (...given) => {
    await passTime(page, () => held.length > 0);
    const route = held.shift()!;
    await (given.length > 0 ? route.fulfill({ json: given[0] }) : route.continue());
    return (await route.request().response())!.status();
  };
}

/** Lets the time of the page pass until it is so. */
function passTime(page: Page, isSo: () => boolean): Promise<void> {
  return eventually(async () => {
    await page.clock.runFor(2_000);
    return isSo();
  });
}

/** Opens the page with a clock that the test can move. */
async function open(page: Page, { origin }: App): Promise<void> {
  await page.clock.install();
  await page.goto(origin);
  await done(page, 0);
}

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
  "a visitor's events that are answered 401 wait, and are recorded once after the log-in": async (app) => {
    const { page, forgive } = app;
    forgive(/status of 401/);
    await open(page, app);
    const next = await holdEvents(page);
    await track(page, "tour");
    app.visitor = null;
    for (let n = 0; n < 3; n++) assert.equal(await next(), 401);
    app.visitor = "ada";
    assert.equal(await next(), 200);
    assert.deepEqual(await keysOf(app, "ada"), ["tour"]);
  },

  "a visitor's events are dropped if another visitor is there when they could go, after a 401 and without one": async (
    app,
  ) => {
    const { page, forgive } = app;
    forgive(/status of 40[13]|^whodid: 403$/);
    await open(page, app);
    // It would ask who is there meanwhile.
    await page.locator("whodid-checklist").evaluate((element) => element.remove());
    const next = await holdEvents(page);
    await track(page, "tour");
    app.visitor = null;
    assert.equal(await next(), 401);
    for (const visitor of ["bob", "ada"] as const) {
      app.visitor = visitor;
      const dropped = page.waitForEvent("console", (message) => message.text() === "whodid: 403");
      const [status] = await Promise.all([next(), dropped]);
      assert.equal(status, 403);
      await track(page, "invite");
      assert.equal(await next(), 200);
      assert.deepEqual(await keysOf(app, visitor), ["invite"]);
      await track(page, "tour");
    }
  },

  "a visitor's events are dropped if the page learns meanwhile that another visitor is there": async (app) => {
    const { page, forgive } = app;
    forgive(/status of 40[13]|^whodid: 403$/);
    await open(page, app);
    const next = await holdEvents(page);
    await track(page, "tour");
    app.visitor = null;
    assert.equal(await next(), 401);
    app.visitor = "bob";
    await refresh(page);
    await track(page, "invite");
    while ((await next()) !== 200);
    assert.deepEqual(await keysOf(app, "bob"), ["invite"]);
  },

  "a visitor's checklist stays, is asked for again, and can be clicked after odd JSON": async (app) => {
    const { page } = app;
    await open(page, app);
    for (const json of oddAnswers) {
      let asked = false;
      await page.route("**/checklists", (route) => {
        asked = true;
        return route.fulfill({ json });
      });
      await passTime(page, () => asked);
      await page.unroute("**/checklists");
      await page.route("**/complete", (route) => route.fulfill({ json }));
      await page.getByRole("button", { name: "Mark as done" }).click();
      await page.getByText("That did not work. Please try again.").waitFor();
      await page.unroute("**/complete");
      await done(page, 0);
    }
    await app.tracker.checklists.complete("ada", "start", "call");
    await page.clock.runFor(10_000);
    await done(page, 1);
  },

  "a visitor's events wait after odd JSON, and are recorded once": async (app) => {
    const { page } = app;
    await open(page, app);
    const next = await holdEvents(page);
    await track(page, "tour");
    for (const json of oddAnswers) await next(json);
    assert.equal(await next(), 200);
    assert.deepEqual(await keysOf(app, "ada"), ["tour"]);
  },

  "a visitor's page has one visitor for each src, with one set of listeners": async ({ page, origin }) => {
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

  "a visitor's page keeps no listeners of elements that are gone": async ({ page, forgive, origin }) => {
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
    opened,
  ) => {
    const { page, origin, tracker } = opened;
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
