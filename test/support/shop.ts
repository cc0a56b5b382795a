/** A shop: the caller's own table of orders beside ours, and Ada, who buys. */
import { createTracker, type Tracker } from "../../lib/index.ts";
import type { OpenedMysql } from "./mysql.ts";
import { countBy } from "./queries.ts";

export const purchase = { externalId: "ada@example.com", eventKey: "purchase_completed" };

/** Creates the table and Ada. Resolves with a tracker on the caller's pool. */
export async function openShop({ pool, storage }: OpenedMysql): Promise<Tracker> {
  await pool.query("CREATE TABLE orders (id INT PRIMARY KEY AUTO_INCREMENT) ENGINE=InnoDB");
  const tracker = createTracker({ storage });
  await tracker.contacts.upsert({ email: "ada@example.com" });
  return tracker;
}

/** How many events Ada has. */
export async function countPurchases(tracker: Tracker): Promise<number> {
  return (await tracker.events.list("ada@example.com")).items.length;
}

/** How many orders there are, and how many events Ada has. */
export async function countsOf({ url, storage }: OpenedMysql): Promise<[orders: number, events: number]> {
  return [await countBy(url, "SELECT COUNT(*) AS n FROM orders"), await countPurchases(createTracker({ storage }))];
}
