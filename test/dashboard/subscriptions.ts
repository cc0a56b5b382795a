import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { Page } from "playwright-core";
import type { Tracker } from "../../lib/index.ts";
import { eventually } from "./eventually.ts";
import { errorOfHandler, fill } from "./filled.ts";
import { webhookPort, type Mount } from "./mounts.ts";
import type { Deeds } from "./run.ts";
import type { WebhookState } from "../../lib/storage/webhooks.ts";

/** Subscriptions, and the changes that failed. */
export const subscriptionDeeds: Deeds = {
  "a subscription is created, shows its newest changes as they come, and is changed": async (opened) => {
    const { page, forgive, tracker, url } = opened;
    await fill(tracker);
    forgive(/status of 400/);
    await page.goto(url("subscriptions"));
    await page.getByRole("button", { name: "Create subscription" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Key", { exact: true }).fill("warehouse");
    await dialog.getByLabel("Events").selectOption("Only these");
    await dialog.getByLabel("Event keys").fill("login\nlogged_out\n");
    await dialog.getByLabel(/^Contacts/).check();
    await dialog.getByLabel("Days to keep a change").fill("91");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.locator('[aria-invalid="true"]').waitFor();
    await dialog.getByLabel("Days to keep a change").fill("30");
    await dialog.getByRole("button", { name: "Create" }).click();
    const card = page.getByRole("region", { name: "warehouse", exact: true });
    await card.getByText("Kept for 30 days: events login, logged_out; contacts").waitFor();
    await card.getByText("There are no recent changes.").waitFor();
    for (const eventKey of ["logged_out", "ignored"]) await tracker.events.track({ externalId: "u/1", eventKey });
    await tracker.contacts.update("u/1", { name: "Ada King" });
    await tracker.work({ until: "caught-up" });
    const rows = card.getByRole("row");
    await rows.filter({ hasText: "contact updated" }).getByText("Ada Lovelace → Ada King").waitFor();
    await rows.filter({ hasText: "logged_out" }).getByRole("link", { name: "ada@example.com" }).waitFor();
    // The row of the columns is the first.
    assert.equal(await rows.count(), 3);
    assert.match((await rows.nth(1).textContent()) ?? "", /contact updated/);
    await page.getByRole("button", { name: "Edit warehouse" }).click();
    assert.equal(await dialog.getByLabel("Event keys").inputValue(), "login\nlogged_out");
    await dialog.getByLabel(/^Contacts/).uncheck();
    await dialog.getByRole("button", { name: "Save" }).click();
    await rows.filter({ hasText: "contact updated" }).waitFor({ state: "detached" });
    const on = { events: ["login", "logged_out"] };
    assert.deepEqual((await tracker.subscriptions.list()).at(-1), { key: "warehouse", on, keepDays: 30 });
  },

  "a subscription announces those who are in an audience already, if that is ticked": async (opened) => {
    const { page, tracker, url } = opened;
    await fill(tracker);
    await page.goto(url("subscriptions"));
    await page.getByRole("button", { name: "Create subscription" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Key", { exact: true }).fill("mail");
    await dialog.getByLabel("Events").selectOption("None");
    await dialog.getByLabel(/^Buyers/).check();
    await dialog.getByLabel(/^Also announce/).check();
    await dialog.getByRole("button", { name: "Create" }).click();
    const card = page.getByRole("region", { name: "mail", exact: true });
    await card.getByText("audiences buyers, with those who were in already").waitFor();
    await tracker.work({ until: "caught-up" });
    await card.getByText("was in already").first().waitFor();
    await page.getByRole("button", { name: "Edit mail" }).click();
    assert.ok(await dialog.getByLabel(/^Also announce/).isChecked());
  },

  "a change of a subscription that failed shows why, is retried, fails again, and is dropped": async (opened) => {
    const { page, tracker, url } = opened;
    const mailer = await parkAda(tracker, () => page.goto(url("subscriptions")));
    const card = page.getByRole("region", { name: "mailer", exact: true });
    const row = card.getByRole("region", { name: "Parked contacts of mailer" }).getByRole("row").nth(1);
    await row.getByText("Error: 550 The mailbox is full.").waitFor();
    await row.getByText("signed_up").waitFor();
    await row.getByRole("link", { name: "ada@example.com" }).waitFor();
    await card.getByText("0 changes").waitFor();
    await row.getByRole("button", { name: "Retry ada@example.com" }).click();
    await row.waitFor({ state: "detached" });
    await card.getByText("2 changes").waitFor();
    assert.deepEqual((await tracker.subscriptions.parked("mailer")).items, []);
    await mailer.run();
    await row.getByText("signed_up").waitFor();
    await row.getByRole("button", { name: "Drop ada@example.com" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Drop the change of “ada@example.com”?" }).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.equal((await tracker.subscriptions.parked("mailer")).items.length, 1);
    await row.getByRole("button", { name: "Drop ada@example.com" }).click();
    await dialog.getByRole("button", { name: "Drop the change" }).click();
    await dialog.waitFor({ state: "detached" });
    await card.getByText("1 change", { exact: true }).waitFor();
    await mailer.run();
    assert.deepEqual(mailer.sent, ["logged_in"]);
    await card.getByText("0 changes").waitFor();
    await card.getByText("0 contacts").waitFor();
  },

  "a webhook is defined, shows its secret once, sends a test, and shows why it failed and that it goes on": async (
    mount,
  ) => {
    const { page, forgive, tracker, url } = mount;
    forgive(/status of 40[09]/);
    let status = 200;
    const receiver = createServer((_, response) => response.writeHead(status).end()).listen(webhookPort, "127.0.0.1");
    try {
      await page.goto(url("subscriptions/new"));
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Key", { exact: true }).fill("hook");
      await dialog.getByLabel("Events").selectOption("None");
      await dialog.getByLabel(/^Contacts that/).check();
      await dialog.getByLabel("Webhook URL").fill("http://partner.example/hooks");
      await dialog.getByLabel("Contacts at a time").fill("65");
      await dialog.getByRole("button", { name: "Create" }).click();
      await dialog.locator('[aria-invalid="true"]').first().waitFor();
      await dialog.getByLabel("Contacts at a time").fill("64");
      await dialog.getByRole("button", { name: "Create" }).click();
      await dialog.getByText("Must be an absolute https URL without spaces.").waitFor();
      const origin = `http://127.0.0.1:${webhookPort}`;
      await dialog.getByLabel("Webhook URL").fill(`${origin}/hooks`);
      await dialog.getByRole("button", { name: "Create" }).click();
      const card = page.getByRole("region", { name: "hook", exact: true });
      await card.getByText(origin, { exact: true }).waitFor();
      await card.getByText("no secret", { exact: true }).waitFor();
      await card.getByRole("button", { name: "Create a secret of hook" }).click();
      await dialog.getByText("Nobody can see it again.").waitFor();
      const secret = (await dialog.locator("code").textContent())!;
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      await page.keyboard.press("Escape");
      await dialog.getByRole("button", { name: "I have stored it" }).click();
      await card.getByText("delivering", { exact: true }).waitFor();
      await page.reload();
      await card.getByText(/^Secret created/).waitFor();
      assert.equal((await page.content()).includes(secret), false);
      await card.getByRole("button", { name: "Send a test to hook" }).click();
      await card.getByText("The test was delivered: status 200.").waitFor();
      status = 500;
      await card.getByRole("button", { name: "Send a test to hook" }).click();
      await card.getByText("The test failed. The endpoint answered 500.").waitFor();
      const working = tracker.work();
      await tracker.contacts.upsert({ email: "ada@example.com" });
      await card.getByText("The endpoint answered 500.", { exact: true }).waitFor();
      await working.stop();
      await setState(mount, { downSince: Date.now(), nextProbeAt: Date.now() + 300_000 });
      await card.getByText("down", { exact: true }).waitFor();
      status = 200;
      await card.getByRole("button", { name: "Enable hook" }).click();
      await card.getByText("delivering", { exact: true }).waitFor();
      await setState(mount, { disabledAt: Date.now(), disabledReason: "gone" });
      await card.getByText("The endpoint answered that it is gone (410).").waitFor();
      await card.getByRole("button", { name: "Enable hook" }).click();
      await card.getByText("delivering", { exact: true }).waitFor();
      await setState(mount, { pausedUntil: Date.now() + 300_000 });
      await card.getByText("paused", { exact: true }).waitFor();
      await card.getByRole("button", { name: "Create a secret of hook" }).click();
      await dialog.getByRole("button", { name: "I have stored it" }).click();
      await card.getByRole("button", { name: "Create a secret of hook" }).click();
      await card.getByRole("alert").filter({ hasText: "two secrets that sign" }).waitFor();
      await card.getByRole("button", { name: "Delete the older secret of hook" }).click();
      await dialog.getByRole("button", { name: "Delete the secret" }).click();
      await card.getByRole("button", { name: "Delete the older secret of hook" }).waitFor({ state: "detached" });
      assert.equal((await tracker.subscriptions.secrets("hook")).length, 1);
      await page.getByRole("button", { name: "Edit hook" }).click();
      assert.equal(await dialog.getByLabel("Webhook URL").inputValue(), `${origin}/hooks`);
      assert.equal(await dialog.getByLabel("Contacts at a time").inputValue(), "64");
    } finally {
      receiver.close();
      receiver.closeAllConnections();
    }
  },

  "a change of a subscription that somebody else has dropped is not dropped again, and says why": async (opened) => {
    const { page, forgive, tracker, url } = opened;
    forgive(/status of 404/);
    await parkAda(tracker, () => page.goto(url("subscriptions")));
    await page.getByRole("button", { name: "Drop ada@example.com" }).click();
    const [parked] = (await tracker.subscriptions.parked("mailer")).items;
    await tracker.subscriptions.drop("mailer", parked!.changeId);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Drop the change" }).click();
    await dialog.getByRole("alert").filter({ hasText: "No contact is parked at this change." }).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Drop ada@example.com" }).waitFor({ state: "detached" });
  },
};

/** Changes the state of the webhook, as a delivery does. */
async function setState({ storage }: Mount, parts: Partial<WebhookState>): Promise<void> {
  await eventually(async () => {
    const [webhook] = await storage.listWebhooks();
    const { workspace, subscriptionId, version, state } = webhook!;
    return storage.putWebhookState(workspace, subscriptionId, version, { ...state, ...parts });
  });
}

/** Events of Ada, of which a consumer handles all but the first. `open` is called before the first consumer. */
async function parkAda(
  { subscriptions, contacts, events, work }: Tracker,
  open: () => Promise<unknown>,
): Promise<{ sent: readonly string[]; run(): Promise<unknown> }> {
  const sent: string[] = [];
  const run = (): Promise<unknown> =>
    subscriptions.consume("mailer", { until: "caught-up", tries: 1 }, (change) => {
      if (change.kind !== "event_recorded") return;
      if (change.event.eventKey === "signed_up") throw errorOfHandler("550 The mailbox is full.");
      sent.push(change.event.eventKey);
    });
  await subscriptions.define({ key: "mailer", on: { events: true } });
  await contacts.upsert({ email: "ada@example.com", externalId: "u/1" });
  for (const eventKey of ["signed_up", "logged_in"]) await events.track({ externalId: "u/1", eventKey });
  await work({ until: "caught-up" });
  await open();
  await run();
  return { sent, run };
}

/** A key without the access `admin` sees the origin of the webhook `partner`, and can change nothing. */
export async function assertWebhookShown(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByText("https://partner.example", { exact: true }).waitFor();
  await page.getByText(/^Secret created/).waitFor();
  assert.equal(await page.getByRole("button", { name: /secret|test|Enable/ }).count(), 0);
  assert.equal((await page.content()).includes("4711"), false);
}
