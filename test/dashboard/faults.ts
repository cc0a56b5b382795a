import assert from "node:assert/strict";
import type { Deeds } from "./run.ts";

/** What happens when the host or the server says no. */
export const faultDeeds: Deeds = {
  "whoever the host lets in no more is told so, and sees nothing new": async ({ page, forgive }, mount) => {
    await mount.tracker.contacts.upsert({ email: "ada@example.com" });
    forgive(/status of 403/);
    await page.goto(mount.url());
    await page.getByRole("link", { name: "ada@example.com" }).waitFor();
    mount.isOpen = false;
    await page.getByRole("link", { name: "Attributes" }).click();
    await page.getByRole("heading", { name: "You may not use this dashboard" }).waitFor();
    assert.equal((await page.request.get(mount.url())).status(), 403);
    mount.isOpen = true;
    await page.getByRole("button", { name: "Load again" }).click();
    await page.getByRole("heading", { level: 1, name: "Attributes" }).waitFor();
  },

  "a server that is gone is told of where the request was made, and asked again": async ({ page, forgive }, mount) => {
    await mount.tracker.contacts.upsert({ email: "ada@example.com" });
    forgive(/ERR_FAILED/);
    await page.goto(mount.url());
    await page.getByRole("link", { name: "ada@example.com" }).waitFor();
    await page.route("**/api/**", (route) => route.abort());
    await page.getByRole("searchbox", { name: "Find contacts" }).fill("ada");
    await page.getByText("The server does not answer. Trying again…").waitFor();
    const failure = page.getByRole("alert").filter({ hasText: "The server or its database does not answer." });
    await failure.waitFor({ timeout: 30_000 });
    await page.unroute("**/api/**");
    await failure.getByRole("button", { name: "Try again" }).click();
    await failure.waitFor({ state: "detached" });
    assert.equal(await page.getByRole("searchbox", { name: "Find contacts" }).inputValue(), "ada");
    await page.getByRole("link", { name: "ada@example.com" }).waitFor();
  },
};
