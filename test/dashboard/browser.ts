import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type LaunchOptions, type Page } from "playwright-core";
import { fetchPackages, type PackageSet } from "../support/packages.ts";
import { libraryFolders } from "../support/database-program.ts";

/** A machine that does other things takes longer. */
const patienceMs = 30_000;

/** A visit that lasts longer hangs: some promises of Playwright wait without a limit. */
const longestVisitMs = 300_000;

/** Without the windows that draw Chromium's own buttons, which take half the processor of a test. */
const program = "chromium-headless-shell";

const packages: PackageSet = { name: program, choices: [[program, "fonts-dejavu-core"]], suite: null };

/** It must run as root in a container, and ask nobody but the server of the test. */
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"].concat(
  ["background-networking", "component-update", "sync"].map((name) => `--disable-${name}`),
);

/** How to start the machine's headless Chromium, else that of Debian's archive; `unavailable` says why it cannot be had. */
export async function findBrowser(): Promise<LaunchOptions | { unavailable: string }> {
  const installed = `/usr/bin/${program}`;
  if (existsSync(installed)) return { executablePath: installed, args };
  const root = await fetchPackages(packages);
  if (root === null) return { unavailable: `apt-get cannot fetch ${program} here` };
  // The libraries of PulseAudio look for one of theirs where it would be installed.
  const libraries = libraryFolders(root).flatMap((folder) => [folder, join(folder, "pulseaudio")]);
  const env = { ...process.env, LD_LIBRARY_PATH: libraries.join(":"), FONTCONFIG_SYSROOT: root };
  return { executablePath: join(root, `usr/lib/chromium/${program}`), args, env };
}

/** After this time without a visit the browser is closed. It would keep the process from ending. */
const idleMs = 1_000;

let launched: Promise<Browser> | null = null;
let visits = 0;
let idle: NodeJS.Timeout | undefined;

function launch(options: LaunchOptions): Promise<Browser> {
  const launching = chromium.launch(options);
  const forget = (): void => {
    if (launched === launching) launched = null;
  };
  launching.then((browser) => browser.on("disconnected", forget), forget);
  return launching;
}

/** Runs with the browser that all visits share. It starts again after it was closed or has crashed. */
async function withBrowser(options: LaunchOptions, run: (browser: Browser) => Promise<void>): Promise<void> {
  clearTimeout(idle);
  visits++;
  const browser = await (launched ??= launch(options)).catch((error: unknown) => {
    visits--;
    throw error;
  });
  try {
    await run(browser);
  } finally {
    if (--visits === 0) idle = setTimeout(close, idleMs);
  }
}

/** The next visit does not get a browser that is closing. */
function close(): void {
  const closing = launched;
  launched = null;
  closing?.then((browser) => browser.close()).catch(() => {});
}

/** A page whose cookies, storage and cache nobody else uses, and what went wrong in it. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Errors that the test expects, such as those of requests that are to fail; they are taken out of what went wrong. */
  forgive(pattern: RegExp): void;
}

/** Visits the origin with a context of its own. Fails if the page logs an error, breaks its own policy or asks another origin. */
export function visit(options: LaunchOptions, origin: string, run: (visit: Visit) => Promise<void>): Promise<void> {
  return withBrowser(options, (browser) => visitIn(browser, origin, run));
}

async function visitIn(browser: Browser, origin: string, run: (visit: Visit) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  context.setDefaultTimeout(patienceMs);
  const problems: string[] = [];
  const forgiven: RegExp[] = [];
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  context.on("weberror", (event) => problems.push(String(event.error())));
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("blob:")) problems.push(`asked ${url}`);
  });
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the visit did not end within ${longestVisitMs} ms`)), longestVisitMs);
  });
  try {
    const page = await context.newPage();
    await Promise.race([run({ page, context, forgive: (pattern) => void forgiven.push(pattern) }), limit]);
    assert.deepEqual(
      problems.filter((problem) => !forgiven.some((pattern) => pattern.test(problem))),
      [],
    );
  } finally {
    clearTimeout(timer);
    await context.close();
  }
}
