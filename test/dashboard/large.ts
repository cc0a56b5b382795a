/**
 * How long it takes until each page can be used, with many contacts and events on MariaDB, and the longest statement of each:
 * `npm run bench -- dashboard 1000000 5000000`. Prints medians of three visits. The browser, the server and the database share the machine.
 */
import { chromium, type LaunchOptions, type Page } from "playwright-core";
import { createPool, type Pool, type RowDataPacket } from "mysql2/promise";
import { fillBehaviour } from "../bench/behaviour-data.ts";
import { startDatabase } from "../support/database.ts";
import { findBrowser } from "./browser.ts";
import { open } from "./everywhere.ts";
import { mountOnMysql, type Mount } from "./mounts.ts";

const rounds = 3;

/** What is opened, and what is typed there. */
const visits: readonly { place: string; types?: { into: string; text: string } }[] = [
  { place: "home?days=30" },
  { place: "home?days=90" },
  { place: "contacts" },
  { place: "contacts?order=oldest" },
  { place: "contacts", types: { into: "Find contacts", text: "user99" } },
  { place: "contacts/user5%40example.com" },
  { place: "events" },
  { place: "events/types/step_03" },
  { place: "events/types" },
  { place: "audiences" },
  { place: "audiences/busy" },
  { place: "checklists" },
  { place: "checklists/start" },
  { place: "attributes" },
  { place: "api-keys" },
];

export async function run(contacts = "100000", events = "500000"): Promise<void> {
  const browserOptions = await findBrowser();
  // A pool of its default size holds what a large INSERT needs; the log of statements is turned on for the visits alone.
  const database = await startDatabase({ serverArguments: ["--innodb-buffer-pool-size=2G", "--log-output=TABLE"] });
  if ("unavailable" in browserOptions) throw new Error(browserOptions.unavailable);
  if ("unavailable" in database) throw new Error(database.unavailable);
  const mount = await mountOnMysql(database);
  const pool = createPool(mount.databaseUrl!);
  await fillBehaviour(pool, { contacts: Number(contacts), events: Number(events) });
  await define(mount);
  await measure(browserOptions, mount, pool);
  await pool.end();
  await mount.close();
  await database.stop();
}

async function define({ tracker }: Mount): Promise<void> {
  const signup = { kind: "has_done", eventKey: "signup" } as const;
  const busy = { kind: "count_greater_than", eventKey: "step_03", count: 1 } as const;
  await tracker.audiences.define({ key: "all", name: "Signed up", rule: signup });
  await tracker.audiences.define({ key: "busy", name: "Busy", rule: { all: [signup, busy] } });
  const recent = { kind: "last_done_within", eventKey: "step_03", period: { days: 30 } } as const;
  await tracker.audiences.define({ key: "gone", name: "Gone", rule: { all: [busy, { not: recent }] } });
  const items = [
    { key: "sign_up", name: "Sign up", when: signup },
    { key: "work", name: "Work", when: busy },
  ];
  await tracker.checklists.define({ key: "start", name: "Start", items });
}

async function measure(options: LaunchOptions, mount: Mount, pool: Pool): Promise<void> {
  const browser = await chromium.launch(options);
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  for (const { place, types } of visits) {
    const times: number[] = [];
    await startLog(pool);
    for (let round = 0; round < rounds; round++) times.push(await timeOf(page, mount, place, types));
    const { ms, statement } = await longestStatement(pool);
    const median = times.toSorted((a, b) => a - b)[rounds >> 1]!;
    const typed = types ? `, ${types.text} typed` : "";
    console.log(
      `${place}${typed}: ${median.toFixed(0)} ms (${times.map((time) => time.toFixed(0)).join(", ")}); ` +
        `longest statement ${ms.toFixed(0)} ms: ${statement}`,
    );
  }
  await browser.close();
}

async function timeOf(
  page: Page,
  mount: Mount,
  place: string,
  types?: { into: string; text: string },
): Promise<number> {
  await page.goto("about:blank");
  if (types) await open(page, mount.url(place));
  const begun = performance.now();
  if (types) {
    await page.getByLabel(types.into).fill(types.text);
    await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') !== null);
    await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null);
  } else {
    await page.goto(mount.url(place));
    await page.waitForFunction(
      () => document.querySelector("main h1") && document.querySelector('main [aria-busy="true"]') === null,
    );
  }
  return performance.now() - begun;
}

async function startLog(connections: Pool): Promise<void> {
  await connections.query("TRUNCATE mysql.slow_log");
  await connections.query("SET GLOBAL long_query_time = 0, GLOBAL slow_query_log = 1");
  // Open sessions keep their own limit: the pool of the mount takes new ones.
  const [sessions] = await connections.query<RowDataPacket[]>(
    "SELECT ID FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() AND USER <> 'system user'",
  );
  for (const { ID } of sessions) await connections.query(`KILL ${ID}`).catch(() => {});
}

async function longestStatement(connections: Pool): Promise<{ ms: number; statement: string }> {
  const [[row]] = await connections.query<RowDataPacket[]>(
    `SELECT TIME_TO_SEC(query_time) * 1000 + MICROSECOND(query_time) / 1000 AS ms, LEFT(sql_text, 60) AS statement
     FROM mysql.slow_log WHERE sql_text LIKE '%/* whodid%' OR sql_text LIKE '%whodid_%' ORDER BY query_time DESC LIMIT 1`,
  );
  return { ms: Number(row?.["ms"] ?? 0), statement: String(row?.["statement"] ?? "none") };
}
