import { hostileTexts } from "../../adapters/storage-contract/values/hostile-texts.ts";
import type { Tracker } from "../../lib/index.ts";

/** Markup that a page must show as it is, and the kinds of text that storages must keep. */
export const hostileNames: readonly string[] = [
  `<img src=x onerror="console.error('ran')">`,
  `<script>console.error("ran")</script>`,
  `"><b id=broken>bold</b>`,
  "{{7*7}} ${7*7} javascript:alert(1)",
  "‮ right to left ‬",
  "x".repeat(1_000),
  ...hostileTexts.filter((text) => text.trim() !== "" && !text.includes("\0")).slice(0, 20),
];

/** The addresses of all pages that show something of what `fill` makes. */
export const places: readonly string[] = [
  "home",
  "home?days=90",
  "contacts",
  "contacts?query=nobody",
  "contacts?attribute=seats&value=12&audience=buyers",
  "contacts?plan=nobody",
  "contacts/u%2F1",
  "contacts/nobody",
  "events",
  "events?event=nobody",
  "events?event=purchase_completed",
  "events/types",
  "audiences",
  "audiences/buyers",
  "audiences/idle",
  "checklists",
  "checklists?days=30",
  "checklists/onboarding",
  "checklists/new-checklist",
  "attributes",
  "subscriptions",
  "api-keys",
  "no-such-page",
];

/** Makes something for every page to show. */
export async function fill(tracker: Tracker): Promise<void> {
  await tracker.provision({
    events: [{ key: "purchase_completed", name: "Bought", properties: { total: "number", note: "text?" } }],
    attributes: [
      { key: "seats", type: "number", name: "Seats" },
      { key: "beta", type: "boolean" },
    ],
    audiences: [
      { key: "buyers", name: "Buyers", rule: { all: [{ kind: "has_done", eventKey: "purchase_completed" }] } },
      {
        key: "idle",
        name: "Idle",
        rule: { not: { kind: "last_done_within", eventKey: "login", period: { days: 7 } } },
      },
    ],
    checklists: [
      {
        key: "onboarding",
        name: "Onboarding",
        items: [
          { key: "buy", name: "Buy", when: { kind: "has_done", eventKey: "purchase_completed" } },
          { key: "call", name: "Take the call" },
        ],
      },
    ],
    subscriptions: [
      { key: "all", on: { events: true, contacts: true, checklists: true, audiences: ["buyers"] } },
      { key: "invoices", on: { events: ["invoice_sent"] }, keepDays: 90 },
      { key: "partner", on: { events: ["invoice_sent"] }, url: "https://partner.example/hooks?token=4711" },
    ],
  });
  await tracker.subscriptions.createSecret("partner");
  await tracker.contacts.upsert({
    email: "ada@example.com",
    externalId: "u/1",
    name: "Ada Lovelace",
    customAttributes: { seats: 12, beta: true },
  });
  // From then on the audience is watched.
  await tracker.work({ until: "caught-up" });
  for (const [day, eventKey] of ["purchase_completed", "purchse_completed", "login"].entries()) {
    const createdAt = new Date(Date.now() - day * 86_400_000);
    await tracker.events.track({ externalId: "u/1", eventKey, createdAt, properties: day === 0 ? { total: 9.5 } : {} });
  }
  await tracker.contacts.update("u/1", { name: "Ada King", customAttributes: { beta: null } });
  await tracker.contacts.update("u/1", { name: "Ada Lovelace", customAttributes: { beta: true } });
  await tracker.contacts.upsert({ email: "deleted@example.com", externalId: "u/2" });
  await tracker.contacts.delete("u/2");
  await tracker.work({ until: "caught-up" });
  await tracker.subscriptions.consume("all", { until: "caught-up", tries: 1 }, ({ contact }) => {
    if ("email" in contact) throw errorOfHandler(`${hostileNames[0]} ${"x".repeat(150)}`);
  });
  await tracker.apiKeys.create({ name: "backend", access: "read" });
}

/** An error without a stack: the tracker prints each. */
export function errorOfHandler(message: string): Error {
  return Object.assign(new Error(message), { stack: "" });
}
