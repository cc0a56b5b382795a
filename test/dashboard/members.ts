import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fill } from "./filled.ts";
import type { Deeds } from "./run.ts";

const preview = "**/audiences/preview";

/** How the people behind a number are found, and taken along. */
export const memberDeeds: Deeds = {
  "all members show page by page, and are downloaded as CSV without formulas; a download is stopped": async (
    opened,
  ) => {
    const { page, forgive, tracker, url } = opened;
    await tracker.attributes.define({ key: "seats", type: "number" });
    const rule = { kind: "field", field: "plan", operator: "equals", value: "team" } as const;
    await tracker.audiences.define({ key: "team", name: "Team", rule });
    const names = ['=HYPERLINK("http://evil")', "+1", "-1", "@SUM(A1)", "\tx", "\rx", 'Ada "K", Lovelace\nKing', "a=b"];
    const contacts = Array.from({ length: 1_003 }, (_, index) => ({ email: `u${index}@example.com`, plan: "team" }));
    for (const [index, name] of names.entries())
      Object.assign(contacts[index]!, { name, customAttributes: { seats: -index } });
    await tracker.contacts.upsertMany(contacts);
    await page.goto(url("audiences/team"));
    const rows = page.getByRole("region", { name: "Contacts that match" }).locator("tbody tr");
    await page.getByText("1,003 contacts").waitFor();
    assert.equal(await rows.count(), 5);
    await page.getByRole("button", { name: "Show more" }).click();
    await rows.nth(54).waitFor();
    const button = page.getByRole("button", { name: "Download as CSV" });
    const downloading = page.waitForEvent("download");
    await button.click();
    const file = await downloading;
    assert.equal(file.suggestedFilename(), "team.csv");
    const lines = (await readFile(await file.path(), "utf8")).split("\r\n");
    assert.equal(
      lines[0],
      '"externalId","email","name","phone","role","plan","avatarUrl","signedUpAt","createdAt","seats"',
    );
    assert.equal(lines.length, 1_005);
    assert.equal(lines.at(-1), "");
    const cells = names.map((_, index) =>
      lines[index + 1]!.replace(/^"[^"]*","[^"]*","/, "").replace(/","","","team".*Z","/, " | "),
    );
    assert.deepEqual(cells, [
      `'=HYPERLINK(""http://evil"") | 0"`,
      `'+1 | -1"`,
      `'-1 | -2"`,
      `'@SUM(A1) | -3"`,
      `'\tx | -4"`,
      `'\rx | -5"`,
      `Ada ""K"", Lovelace\nKing | -6"`,
      `a=b | -7"`,
    ]);
    // The second page does not come until the user has stopped.
    forgive(/ERR_ABORTED|Failed to load/);
    await page.route(preview, async (route) => {
      if (!route.request().postData()!.includes("cursor")) await route.fallback();
    });
    await page.evaluate(() =>
      addEventListener("click", (event) => event.target instanceof HTMLAnchorElement && console.error("downloaded")),
    );
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByText("1,000 of 1,003 read").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("1,000 of 1,003 read").waitFor({ state: "detached" });
    await button.waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
  },

  "an audience that is too large for a page names the command": async ({ page, tracker, url }) => {
    await fill(tracker);
    await page.route(preview, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { count?: number };
      await route.fulfill({ response: answer, json: { ...body, ...(body.count !== undefined && { count: 200_001 }) } });
    });
    await page.goto(url("audiences/buyers"));
    await page.getByText("whodid export contacts --audience buyers").waitFor();
    assert.equal(await page.getByRole("button", { name: "Download as CSV" }).count(), 0);
    await page.unrouteAll({ behavior: "wait" });
  },

  "a search goes on over short pages by itself, and after a while by a button": async ({ page, tracker, url }) => {
    const { contact } = await tracker.contacts.upsert({ email: "nina@example.com", name: "Nina Berg" });
    let isFound = false;
    const asked: (string | null)[] = [];
    await page.route(/contacts\?query=berg/, async (route) => {
      const cursor = new URL(route.request().url()).searchParams.get("cursor");
      asked.push(cursor);
      const nextCursor = isFound ? null : String(asked.length);
      await route.fulfill({ json: { success: true, items: isFound ? [contact] : [], nextCursor } });
    });
    await page.goto(url("contacts?query=berg"));
    await page.getByText("None found yet.").waitFor();
    const [first, second] = asked;
    assert.deepEqual([first, second, asked.length > 2], [null, "1", true]);
    isFound = true;
    const before = asked.length;
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByRole("link", { name: "Nina Berg" }).waitFor();
    assert.deepEqual(asked.slice(before), [String(before)]);
    await page.unrouteAll({ behavior: "wait" });
  },

  "a definition is copied as code that defines it": async ({ page, context, tracker, url, origin }) => {
    await fill(tracker);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    for (const [place, methods] of [
      ["audiences/idle", "audiences"],
      ["checklists/onboarding", "checklists"],
    ] as const) {
      await page.goto(url(place));
      await page.getByText("Copy as code").click();
      await page.getByText("Copied").waitFor();
      const code = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(code, new RegExp(`^await tracker\\.${methods}\\.define\\(\\{\n  key: "`));
      const module = `export default ${code.slice(code.indexOf("(") + 1, -2)}`;
      const { default: defined } = (await import(`data:text/javascript,${encodeURIComponent(module)}`)) as {
        default: { key: string };
      };
      assert.deepEqual(
        (await tracker[methods].list()).find(({ key }) => key === defined.key),
        defined,
      );
    }
  },
};
