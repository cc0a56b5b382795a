import assert from "node:assert/strict";
import type { ChecklistDefinition } from "../../lib/index.ts";
import { assertTables } from "../faults/checks.ts";
import { query } from "../support/queries.ts";
import type { Known } from "./writers.ts";

const thresholds = [0, 2, 4, 9, 19, 39];

/** Its items are completed as the events of the writers' two keys get more. */
export const checklist: ChecklistDefinition = {
  key: "onboarding",
  name: "Onboarding",
  items: ["order_placed", "page_viewed"].flatMap((eventKey) =>
    thresholds.map((count) => {
      const key = itemKeyOf(eventKey, count);
      return { key, name: key, when: { kind: "count_greater_than", eventKey, count } };
    }),
  ),
};

/**
 * Asserts that each node holds what the writers know: an order exactly if its event, each acknowledged event once and counted
 * once, each completed item announced once. Tells all that is wrong.
 */
export async function assertExact(urls: readonly string[], known: Known): Promise<void> {
  const checks = await Promise.allSettled([
    assertOrders(urls[0]!, known),
    assertAnnounced(urls[0]!, known),
    ...urls.map((url) => assertTables(url, known.ledger)),
  ]);
  const wrong = checks.flatMap((check) => (check.status === "rejected" ? [String(check.reason).slice(0, 700)] : []));
  assert.equal(wrong.join("\n\n"), "");
}

async function assertOrders(url: string, { ledger, orders }: Known): Promise<void> {
  assert.deepEqual([...new Set(ledger.complaints)], []);
  const stored = new Set(await column(url, "SELECT id AS x FROM orders"));
  const events = new Set(
    await column(
      url,
      "SELECT SUBSTR(JSON_UNQUOTE(JSON_EXTRACT(properties, '$.sent')), 7) AS x FROM whodid_events WHERE event_key = 'order_placed'",
    ),
  );
  const all = [...orders].map(String);
  const lost = {
    orders: all.filter((id) => !stored.has(id)).length,
    events: all.filter((id) => !events.has(id)).length,
    unacknowledgedOrders: [...stored].filter((id) => !orders.has(Number(id))).length,
    unacknowledgedEvents: [...events].filter((id) => !orders.has(Number(id))).length,
  };
  const none = { orders: 0, events: 0, unacknowledgedOrders: 0, unacknowledgedEvents: 0 };
  assert.deepEqual(lost, none, `${orders.size} transactions were acknowledged`);
}

async function assertAnnounced(url: string, { announced }: Known): Promise<void> {
  const counted = await column(
    url,
    "SELECT CONCAT(LOWER(HEX(contact_id)), ' ', CAST(event_key AS CHAR), ' ', event_count) AS x FROM whodid_summaries",
  );
  const due = counted.flatMap((line) => {
    const [contactId, eventKey, count] = line.split(" ") as [string, string, string];
    return thresholds
      .filter((threshold) => Number(count) > threshold)
      .map((threshold) => `${contactId} ${itemKeyOf(eventKey, threshold)}`);
  });
  assert.deepEqual(announced.toSorted(), due.toSorted(), "each item is announced once");
}

async function column(url: string, sql: string): Promise<string[]> {
  return (await query(url, sql)).map((row) => String(row["x"]));
}

function itemKeyOf(eventKey: string, threshold: number): string {
  return `${eventKey}_${threshold + 1}`;
}
