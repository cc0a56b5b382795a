import assert from "node:assert/strict";
import type { Deeds } from "./run.ts";

export const contactDeeds: Deeds = {
  "contacts are found as one types, and a reload finds the same": async ({ page }, { tracker, url }) => {
    for (const name of ["ada", "adam", "grace"]) await tracker.contacts.upsert({ email: `${name}@example.com` });
    await page.goto(url());
    await page.getByText("3 contacts").waitFor();
    await page.getByRole("searchbox", { name: "Find contacts" }).fill("ADA");
    await page.getByRole("link", { name: "grace@example.com" }).waitFor({ state: "detached" });
    assert.deepEqual(await page.locator("tbody a").allTextContents(), ["adam@example.com", "ada@example.com"]);
    await page.reload();
    await page.getByRole("link", { name: "adam@example.com" }).waitFor();
    assert.equal(await page.locator("tbody tr").count(), 2);
  },
};
