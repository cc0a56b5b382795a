import { forgetAll, keep, kept } from "./kept.ts";
import { basePath, isStandalone, session } from "./session.ts";

/** After this time without a click or a key press, a tab forgets its API key. */
const idleMs = 12 * 60 * 60 * 1_000;
const askingMs = 300;

/** The key of this page. The tab's storage can have another one after the page was frozen. */
let held: string | null = kept("key");
let isLeaving = false;

export const tabKey = (): string | null => held;

type Told = { asks: true } | { key: string } | { ended: string };

const tabs = new BroadcastChannel(`whodid ${basePath}`);
const tell = (message: Told): void => tabs.postMessage(message);
/** The keys that other tabs offer; `null` while this tab ignores offers. */
let offered: Set<string> | null = null;
let onOffer = (_key: string): void => {};

tabs.addEventListener("message", ({ data }: MessageEvent<Told>) => {
  if ("asks" in data && held !== null && !isIdle()) tell({ key: held });
  if ("ended" in data) offered?.delete(data.ended);
  if ("ended" in data && data.ended === held) end();
  if (!("key" in data) || !offered) return;
  offered.add(data.key);
  if (offered.size === 1) onOffer(data.key);
});

/** Resolves with the key of the other tabs, if all have the same; with `null` after a log-out or a refusal in this tab. */
export async function findKey(): Promise<string | null> {
  if (kept("out") !== null) return null;
  offered = new Set();
  tell({ asks: true });
  await new Promise((resolve) => setTimeout(resolve, askingMs));
  const [first = null, ...others] = offered ?? [];
  return others.length === 0 ? first : null;
}

/** Calls the function with a key that another tab offers later. */
export function followOffers(onKey: (key: string) => void): void {
  onOffer = onKey;
}

export function ignoreOffers(): void {
  offered = null;
}

/** Uses the key from now on, also after a reload. */
export function hold(key: string): void {
  ignoreOffers();
  held = key;
  keep("key", key);
  keep("out", null);
  touch();
}

/** Forgets a key that the server refuses. Drafts stay. */
export function refuseKey(key: string | null): void {
  if (key !== held) return;
  held = null;
  keep("key", null);
  keep("out", "1");
  session.set({ ...session.get(), isOut: true });
}

/** Forgets key and drafts, here and in all tabs with this key. */
export function logOut(): void {
  if (held !== null) tell({ ended: held });
  end();
}

/** Logs this tab out. Loads the page anew, so that no data of a contact stays in it. */
function end(): void {
  forgetAll();
  keep("out", "1");
  loadAnew();
}

export function loadAnew(): void {
  isLeaving = true;
  document.body.hidden = true;
  location.reload();
}

const touch = (): void => keep("used", String(Date.now()));

function isIdle(): boolean {
  return held !== null && Date.now() - Number(kept("used")) > idleMs;
}

/** Logs this tab out if nobody has used it for long. Returns whether the page loads anew, and must send nothing any more. */
export function endIfIdle(): boolean {
  if (!isLeaving && isIdle()) end();
  return isLeaving;
}

/** Checks a page that is shown again. Its tab may have logged out or changed its key while the browser kept the page. */
function compare(): void {
  if (kept("key") !== held) loadAnew();
  else if (!endIfIdle()) document.body.hidden = false;
}

if (isStandalone) {
  endIfIdle();
  for (const event of ["click", "keydown"])
    addEventListener(event, () => void (held !== null && !endIfIdle() && touch()), { capture: true });
  // The browser must show nothing of a kept page before `compare`.
  addEventListener("pagehide", () => (document.body.hidden = true));
  addEventListener("pageshow", ({ persisted }) => persisted && compare());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && compare());
}
