import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../support/loopback.ts";
import { fetchPackages, type PackageSet } from "../support/packages.ts";

/** A machine that does other things takes longer. */
const patienceMs = 60_000;

const packages: PackageSet = {
  name: "webkit",
  choices: [["webkit2gtk-driver", "xvfb", "fonts-dejavu-core"]],
  suite: null,
};

/** WebKit starts its processes from `/usr`. So the packages appear there, for these processes and their children alone. */
const namespaces = ["--mount", "--map-root-user", "--pid", "--fork", "--kill-child", "--", "sh", "-c"];
const mount = 'mount -t overlay whodid -o "lowerdir=/usr:$1/usr" /usr && mount -t tmpfs whodid /tmp';
const drive = `${mount} || exit
Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3> /tmp/display &
until [ -s /tmp/display ]; do sleep 0.1; done
export DISPLAY=":$(cat /tmp/display)" HOME=/tmp
exec WebKitWebDriver --port="$2"`;

/** A page in WebKit, driven by WebDriver. Also finds elements in open shadow roots. */
export interface WebkitPage {
  open(url: string): Promise<void>;
  /** Waits for a visible element that matches the selector and has this text. */
  see(selector: string, text: string): Promise<void>;
  click(selector: string, text: string): Promise<void>;
  /** Sends keys to the element, in the code points of WebDriver. */
  press(selector: string, text: string, keys: string): Promise<void>;
}

/** The folder of Debian's WebKit; `unavailable` says why it cannot be had. */
export async function findWebkit(): Promise<{ root: string } | { unavailable: string }> {
  const root = await fetchPackages(packages);
  if (root === null) return { unavailable: "apt-get cannot fetch webkit2gtk-driver here" };
  try {
    await promisify(execFile)("unshare", [...namespaces, mount, "sh", root]);
  } catch (error) {
    return { unavailable: `this machine allows no mounts of its own: ${String(error)}` };
  }
  return { root };
}

/** Runs with a page of a browser of its own. */
export async function visitInWebkit(root: string, run: (page: WebkitPage) => Promise<void>): Promise<void> {
  const port = await freePort();
  const driver = spawn("unshare", [...namespaces, drive, "sh", root, String(port)], { stdio: "ignore" });
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body ? "POST" : "GET",
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(patienceMs),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error((value as { message: string }).message);
    return value;
  };
  try {
    await patiently("WebDriver", async () => ask("/status"));
    const browserOptions = { "webkitgtk:browserOptions": { args: ["--automation"] } };
    const session = await ask("/session", { capabilities: { alwaysMatch: browserOptions } });
    const { sessionId } = session as { sessionId: string };
    await run(pageOf((path, body) => ask(`/session/${sessionId}${path}`, body)));
  } finally {
    driver.kill("SIGKILL");
  }
}

function pageOf(ask: (path: string, body: object) => Promise<unknown>): WebkitPage {
  const find = async (selector: string, text: string): Promise<string> => {
    const found = await ask("/execute/sync", { script: findVisible, args: [selector, text] });
    assert.ok(found, `no ${selector} says ${text}`);
    return Object.values(found)[0] as string;
  };
  const act = (selector: string, text: string, deed: string, body: object): Promise<unknown> =>
    // An element may be replaced after it was found.
    patiently(text, async () => ask(`/element/${await find(selector, text)}/${deed}`, body));
  return {
    open: async (url) => void (await ask("/url", { url })),
    see: async (selector, text) => void (await patiently(text, () => find(selector, text))),
    click: async (selector, text) => void (await act(selector, text, "click", {})),
    press: async (selector, text, keys) => void (await act(selector, text, "value", { text: keys })),
  };
}

const findVisible = `const [selector, text] = arguments;
const all = (root) => [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
const isFound = (element) => element.matches(selector) && element.textContent.trim() === text && element.checkVisibility();
return all(document).find(isFound) ?? null;`;

async function patiently<Value>(what: string, attempt: () => Promise<Value>): Promise<Value> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${what} did not come`, { cause: error });
      await pause(100);
    }
  }
}
