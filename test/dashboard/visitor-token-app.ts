import type { RequestListener } from "node:http";
import type { Page } from "playwright-core";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { toListener } from "../../adapters/node-http.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import { visitors } from "../../server/visitors/index.ts";
import { secretsOfTest } from "../server/visitors/tokens.ts";
import { listeningAt, start } from "./visitor-app.ts";

/** A page at an origin, and the door at another, which lists that of the page. */
export interface App {
  tracker: Tracker;
  origin: string;
  src: string;
  /** The fresh tokens, which the page asks for one after the other. */
  tokens: string[];
  secrets: Record<string, readonly string[]>;
}

export const pageOf = ({ src }: App, token: string): string => `<!doctype html><html lang="en"><title>An app</title>
<script type="module" src="${src}/whodid.js"></script>
<whodid-checklist src="${src}" checklist="start" token="${token}"><p>Read our guide.</p></whodid-checklist></html>`;

export async function serving(run: (app: App) => Promise<void>): Promise<void> {
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

/** Runs with `element` and `createVisitor`. An element without a token gets a function that fetches one, and throws at an empty one. */
export function inPage<Result = void>(page: Page, { src }: App, code: string): Promise<Result> {
  return page.evaluate<Result>(`import("${src}/whodid.js").then(async ({ createVisitor }) => {
    const element = (window.element ??= document.querySelector("whodid-checklist"));
    const fetchToken = async () => (await (await fetch("/token")).text()) || Promise.reject(new Error("none"));
    if (element.token === "") element.token = fetchToken;
    const src = "${src}";
    ${code}
  })`);
}

/** Records an event with the token of the element. */
export function track(page: Page, app: App, eventKey: string): Promise<void> {
  return inPage(page, app, `createVisitor({ src, token: element.token }).track("${eventKey}")`);
}
