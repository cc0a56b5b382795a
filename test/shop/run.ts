/**
 * `npm run long -- shop`: the example shop, copied out of the package as it would be published into an empty folder. Ends with
 * `N passed, N failed`.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import mysql from "mysql2/promise";
import { root } from "../matrix/installs.ts";
import { freePort } from "../package/first-app.ts";
import { emptyFolder, outputOf, pack } from "../package/projects.ts";
import { database, databaseSuite } from "../support/mysql.ts";
import { within } from "../support/within.ts";

const shop = join(root, "examples/shop");
/** A machine that does other things takes longer. */
const patienceMs = 300_000;
const packed = pack().tarball;

databaseSuite("the example shop in an empty folder", await database(), (test, { createDatabase }) => {
  const folder = emptyFolder("shop");

  test("locks the version of whodid that is packed", () => {
    assert.equal(lockIn(shop).packages["node_modules/whodid"]!["version"], versionIn(root));
    assert.equal(lockIn(shop).packages[""]!.dependencies["whodid"], `^${versionIn(root)}`);
  });

  test("has at most 400 lines of code", () => {
    const inFolder = (name: string): string[] => readdirSync(join(shop, name)).map((file) => join(name, file));
    const files = ["page.html", ...inFolder("src"), ...inFolder("test")];
    const lines = files.map((file) => readFileSync(join(shop, file), "utf8").split("\n").length - 1);
    const total = lines.reduce((sum, length) => sum + length);
    console.log(`${total} lines`);
    assert.ok(total <= 400, `${total} lines`);
  });

  test("is installed from its lock, is compiled, and shows its page", async () => {
    const began = performance.now();
    outputOf(folder, "tar", "-xzf", packed, "--strip-components=3", "package/examples/shop");
    lockTarball(folder, packed);
    outputOf(folder, "npm", "ci", "--no-audit", "--no-fund");
    outputOf(folder, "npm", "run", "build");
    await serving(folder, await createDatabase(), async (origin) => {
      assert.match(await (await fetch(origin)).text(), /<whodid-checklist src="\/me"/);
      assert.match(await (await fetch(`${origin}/me/whodid.js`)).text(), /whodid-checklist/);
      console.log(`${Math.round((performance.now() - began) / 1_000)} s from an empty folder to the shop's page`);
    });
  });

  test("passes its own tests, on memory", () => {
    assert.match(outputOf(folder, "npm", "test"), /^# pass [1-9]\d*\n# fail 0$/m);
  });

  test("ticks the checklist at an order, and deletes its user", async () => {
    const url = await createDatabase();
    await serving(folder, url, async (origin) => {
      const visit = await logIn(origin, "ada@example.com");
      assert.deepEqual(await ticked(visit), ["sign_up"]);
      const viewed = { eventKey: "product_viewed", properties: { product: "assam" }, idempotencyKey: "1" };
      assert.equal((await visit("/me/events", JSON.stringify({ items: [viewed] }))).status, 200);
      assert.equal((await visit("/orders", new URLSearchParams({ product: "assam" }))).status, 303);
      assert.deepEqual(await ticked(visit), ["sign_up", "look", "order"]);

      assert.equal((await visit("/orders", new URLSearchParams({ product: "coffee" }))).status, 400);
      const account = (await (await visit("/account")).json()) as Account;
      assert.deepEqual([account.orders.length, account.tracked.events.length], [1, 3]);

      assert.equal((await visit("/account/delete", new URLSearchParams())).status, 303);
      assert.equal((await visit("/account")).status, 401);
    });
    for (const table of ["users", "orders", "whodid_contacts", "whodid_events"])
      assert.equal(await count(url, table), 0, table);
  });

  test("imports the users and orders from before whodid, once", async () => {
    const url = await createDatabase();
    const importPast = (): string => outputOf(folder, "env", `DATABASE_URL=${url}`, "npm", "run", "--silent", "import");
    assert.equal(importPast(), "0 users and 0 orders\n");
    await execute(url, "INSERT INTO users VALUES ('1', 'ada@example.com', '2024-02-29 12:00:00')");
    await execute(url, "INSERT INTO orders VALUES ('2', '1', 'assam', 1200, '2024-03-01 12:00:00')");
    for (let n = 0; n < 2; n++) assert.equal(importPast(), "1 users and 1 orders\n");
    await serving(folder, url, async (origin) => {
      const visit = await logIn(origin, "ada@example.com");
      assert.deepEqual(await ticked(visit), ["sign_up", "order"]);
      const { tracked } = (await (await visit("/account")).json()) as Account;
      assert.deepEqual(
        tracked.events.map(({ createdAt }) => createdAt),
        ["2024-03-01T12:00:00.000Z", "2024-02-29T12:00:00.000Z"],
      );
    });
  });
});

interface Lock {
  packages: Record<string, Record<string, string> & { dependencies: Record<string, string> }>;
}

interface Account {
  orders: object[];
  tracked: { events: { createdAt: string }[] };
}

/** Posts the body if there is one. */
type Visit = (path: string, body?: string | URLSearchParams) => Promise<Response>;

function lockIn(folder: string): Lock {
  return JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as Lock;
}

function versionIn(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version;
}

/** Puts the tarball in the place of the registry's package of that version. */
function lockTarball(folder: string, tarball: string): void {
  const lock = lockIn(folder);
  lock.packages["node_modules/whodid"]!["resolved"] = `file:${tarball}`;
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
}

/** Runs `npm start` in the folder, and ends it by SIGTERM. */
async function serving(folder: string, url: string, run: (origin: string) => Promise<void>): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url, PORT: String(await freePort()) };
  // In a group of its own, because npm starts a shell that starts node.
  const npm = spawn("npm", ["--silent", "start"], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(npm, "close");
  try {
    const [line] = (await within(patienceMs, "the shop listens", once(createInterface(npm.stdout), "line"))) as [
      string,
    ];
    await run(/^The shop is at (http:.*)$/.exec(line)![1]!);
    process.kill(-npm.pid!, "SIGTERM");
    await within(patienceMs, "the shop has ended", ended);
  } finally {
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid!, "SIGKILL");
  }
}

async function logIn(origin: string, email: string): Promise<Visit> {
  const send = (path: string, headers: Record<string, string>, body?: string | URLSearchParams): Promise<Response> =>
    fetch(origin + path, {
      redirect: "manual",
      headers: typeof body === "string" ? { ...headers, "content-type": "application/json" } : headers,
      ...(body !== undefined && { method: "POST", body }),
    });
  const response = await send("/login", {}, new URLSearchParams({ email }));
  const [cookie = ""] = response.headers.get("set-cookie")!.split(";");
  return (path, body) => send(path, { cookie, "x-whodid-visitor": "1" }, body);
}

/** The items that the visitor has completed, as the element in the page asks for them. */
async function ticked(visit: Visit): Promise<string[]> {
  const { items } = (await (await visit("/me/checklists")).json()) as {
    items: [{ items: { itemKey: string; completed: boolean }[] }];
  };
  return items[0].items.filter((item) => item.completed).map((item) => item.itemKey);
}

async function count(url: string, table: string): Promise<unknown> {
  const [[row]] = (await execute(url, `SELECT COUNT(*) AS rows_there FROM ${table}`)) as [[{ rows_there: number }]];
  return row.rows_there;
}

async function execute(url: string, statement: string): Promise<unknown> {
  const connection = await mysql.createConnection(url);
  try {
    return await connection.execute(statement);
  } finally {
    await connection.end();
  }
}
