import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTracker, type Tracker } from "../../lib/index.ts";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { loadDemo } from "../../server/demo.ts";
import { callCommand } from "../support/call-command.ts";
import { startCommand } from "../support/server-process.ts";
import { suite } from "../support/suite.ts";

const now = new Date("2026-11-20T10:00:00.000Z");

async function load(at = now): Promise<Tracker> {
  const tracker = createTracker({ storage: memoryStorage(), now: () => at });
  await loadDemo(tracker, at.getTime());
  return tracker;
}

/** What the contacts did, without what is made anew each time. */
async function storyOf({ events }: Tracker, at: Date): Promise<string[]> {
  const { items } = await events.recent({ limit: 1_000 });
  return items.map(({ eventKey, createdAt, properties }) => {
    return `${eventKey} ${at.getTime() - Date.parse(createdAt)} ${JSON.stringify(properties)}`;
  });
}

suite("the demo", (test) => {
  test("loads 40 contacts, and what it defines is what they have", async () => {
    const tracker = await load();
    const { items } = await tracker.contacts.list();
    assert.equal(items.length, 40);
    for (const { email } of items) assert.match(email, /^[a-z.]+@example\.com$/);
    assert.deepEqual(
      [await tracker.attributes.list(), await tracker.eventTypes.list(), await tracker.checklists.list()].map(
        (list) => list.length,
      ),
      [5, 8, 2],
    );
  });

  test("loads three months of events up to now, and one key that is a typo", async () => {
    const tracker = await load();
    const { items } = await tracker.events.recent({ limit: 1_000 });
    assert.ok(items.length > 500);
    const ages = items.map(({ createdAt }) => (now.getTime() - Date.parse(createdAt)) / 3_600_000);
    assert.ok(
      Math.min(...ages) > 0 && Math.min(...ages) < 2 && Math.max(...ages) > 80 * 24 && Math.max(...ages) < 92 * 24,
    );
    const usage = (await tracker.eventTypes.usage()).items;
    assert.deepEqual(
      usage.filter(({ defined }) => !defined).map(({ key, count }) => [key, count]),
      [["purchase_complete", 4]],
    );
    assert.equal(usage.length, 9);
  });

  test("has members in each audience, and contacts at each item of the checklists", async () => {
    const tracker = await load();
    const counts: Record<string, number> = {};
    for (const { key } of await tracker.audiences.list()) counts[key] = await tracker.audiences.count(key);
    assert.deepEqual(counts, { onboarded: 4, stuck: 4, win_back: 3, large: 13 });
    const items = [
      ...(await tracker.checklists.counts("onboarding")),
      ...(await tracker.checklists.counts("reporting")),
    ];
    assert.deepEqual(
      items.map(({ itemKey, contacts }) => `${itemKey} ${contacts}`),
      ["verify 36", "project 30", "invite 24", "call 12", "first 27", "ten 16"],
    );
  });

  test("is the same each time, only later", async () => {
    const later = new Date("2027-02-03T04:05:06.000Z");
    assert.deepEqual(await storyOf(await load(), now), await storyOf(await load(later), later));
  });

  test("is loaded by serve --demo", async () => {
    const { child, output, ended } = startCommand(["serve", "--demo"], { PORT: "0" });
    try {
      while (!output.stderr.includes('"start"')) await new Promise((resolve) => child.stderr!.once("data", resolve));
      const [url] = /http:\S+\/api\/v1/.exec(output.stdout)!;
      const headers = { authorization: `Bearer ${/sk_\S{43}/.exec(output.stdout)![0]}` };
      const { total } = (await (await fetch(`${url}/contacts?count=true`, { headers })).json()) as { total: number };
      assert.equal(total, 40);
      const [demo] = /http:\S+\/demo/.exec(output.stdout)!;
      const page = await fetch(demo);
      assert.equal(page.status, 200);
      assert.match(page.headers.get("content-security-policy")!, /^default-src 'self';/);
      for (const [, file] of (await page.text()).matchAll(/(?:href|src)="(\/demo\/[^"]+\.\w+)"/g)) {
        assert.equal((await fetch(new URL(file!, demo))).status, 200, file);
      }
      const event = { eventKey: "project_created", idempotencyKey: "k" };
      const written = await fetch(`${demo}/me/events`, {
        method: "POST",
        headers: { "x-whodid-visitor": "1", "content-type": "application/json" },
        body: JSON.stringify({ items: [event] }),
      });
      assert.equal(written.status, 200);
      const shown = (await (await fetch(`${demo}/me/checklists`)).json()) as { items: { progress: object }[] };
      assert.deepEqual(
        shown.items.map(({ progress }) => progress),
        [{ completed: 1, total: 4 }],
      );
      for (const [path, status] of [
        ["/nowhere", 404],
        ["/page.js/x", 404],
        ["/me", 404],
      ] as const) {
        assert.equal((await fetch(demo + path)).status, status, path);
      }
      assert.equal((await fetch(demo, { method: "POST" })).status, 405);
      child.kill("SIGTERM");
      assert.equal((await ended()).exitCode, 0);
    } finally {
      child.kill("SIGKILL");
    }
  });

  test("is refused beside a DATABASE_URL, in a line, and another argument as wrong usage", async () => {
    const environment = { DATABASE_URL: "mysql://nobody@127.0.0.1:9/nowhere" };
    const refused = await callCommand(["serve", "--demo"], environment);
    assert.deepEqual(refused, {
      exitCode: 1,
      stdout: "",
      stderr: "whodid: --demo is for memory alone: leave out DATABASE_URL.\n",
    });
    for (const args of [["--demos"], ["demo"]]) {
      assert.equal((await callCommand(["serve", ...args])).exitCode, 2);
    }
  });

  test("says in a line that the definitions of PROVISION are against it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "whodid-demo-"));
    const file = join(folder, "definitions.json");
    await writeFile(file, '{"attributes":[{"key":"seats","type":"text"}]}');
    const { exitCode, stderr } = await callCommand(["serve", "--demo"], { PROVISION: file });
    await rm(folder, { recursive: true });
    assert.deepEqual([exitCode, stderr], [1, 'whodid: The attribute "seats" is defined with the type text.\n']);
  });
});
