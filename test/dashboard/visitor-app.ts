import { createServer, type RequestListener } from "node:http";
import express from "express";
import type { Page } from "playwright-core";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { toListener } from "../../adapters/node-http.ts";
import { createTracker, type ChecklistDefinition, type Tracker } from "../../lib/index.ts";
import { visitors } from "../../server/visitors/index.ts";
import { listening } from "../support/loopback.ts";
import type { Visit } from "./browser.ts";

/** An app that shows its visitor a checklist. */
export interface App {
  tracker: Tracker;
  origin: string;
  /** The visitor of the session; `null` without a session. */
  visitor: "ada" | "bob" | null;
}

export const start: ChecklistDefinition = {
  key: "start",
  name: "Get started",
  description: "Your first week.",
  items: [
    {
      key: "tour",
      name: "Take the tour",
      description: "Two minutes.",
      href: "/#tour",
      when: { kind: "has_done", eventKey: "tour" },
    },
    { key: "call", name: "Talk to us" },
    { key: "invite", name: "Invite two", when: { kind: "count_greater_than", eventKey: "invite", count: 1 } },
  ],
};

/** The page calls the module as a host would, and notes the events of its element. */
const script = `import { createVisitor } from "/me/whodid.js";
const visitor = createVisitor({ src: "/me" });
window.isVisitor = (src) => createVisitor({ src }) === visitor;
window.fired = [];
for (const type of ["whodid-complete", "whodid-dismiss"]) {
  document.addEventListener(type, ({ detail }) => fired.push(type + " " + (detail.itemKey ?? detail.checklistKey)));
}
window.track = (eventKey, properties) => visitor.track(eventKey, properties);`;

function pageOf(attributes: string): string {
  return `<!doctype html><html lang="en" ${attributes}><head><meta charset="utf-8"><title>An app</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<script type="module" src="/me/whodid.js"></script><script type="module" src="/page.js"></script></head>
<body><main><h1>An app</h1><whodid-checklist src="/me" checklist="start"><p>Read our guide.</p></whodid-checklist></main></body></html>`;
}

export async function serving(run: (app: App) => Promise<void>): Promise<void> {
  const tracker = createTracker({ storage: memoryStorage() });
  for (const externalId of ["ada", "bob"]) {
    await tracker.contacts.upsert({ email: `${externalId}@example.com`, externalId });
  }
  await tracker.checklists.define(start);
  const identify = (): string | null => app.visitor;
  const app: App = { tracker, origin: "", visitor: "ada" };
  const host = express()
    .use("/me", toListener(visitors(tracker, { basePath: "/me", identify, events: ["tour", "invite"] })))
    .use((_request, response, next) => {
      response.set("Content-Security-Policy", "default-src 'self'");
      next();
    })
    .get("/", (request, response) => void response.send(pageOf((request.query["html"] ?? "") as string)))
    .get("/page.js", (_request, response) => void response.type("text/javascript").send(script))
    .get("/favicon.ico", (_request, response) => void response.status(204).end());
  try {
    await listeningAt(host, (origin) => run(Object.assign(app, { origin })));
  } finally {
    await tracker.close();
  }
}

/** Runs with the origin of a server. */
export function listeningAt(listener: RequestListener, run: (origin: string) => Promise<void>): Promise<void> {
  return listening(createServer(listener), (port) => run(`http://127.0.0.1:${port}`));
}

export async function track(page: Page, ...event: [string, object?]): Promise<void> {
  await page.evaluate((given) => (window as unknown as { track(...of: unknown[]): void }).track(...given), event);
}

export async function refresh(page: Page): Promise<void> {
  await page
    .locator("whodid-checklist")
    .evaluate((element: HTMLElement & { refresh(): Promise<void> }) => element.refresh());
}

export function fired(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { fired: string[] }).fired);
}

export const done = (page: Page, count: number): Promise<void> =>
  page.getByText(`${count} of 3 done`, { exact: true }).waitFor();

/** What is done with the element, by the sentence that says what happens. */
export type VisitorDeeds = Readonly<Record<string, (opened: Visit & App) => Promise<void>>>;
