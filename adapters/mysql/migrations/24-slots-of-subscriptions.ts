const digit =
  "(SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 \
UNION ALL SELECT 6 UNION ALL SELECT 7)";

/** Inserts 64 slots for each subscription that is older than slots. They begin where the subscription begins. */
export const insertSlots = (
  prefix: string,
): string => `INSERT IGNORE INTO ${prefix}slots (subscription_id, slot, position, token, leased_until)
SELECT s.id, high.n * 8 + low.n, s.first_position, NULL, 0 FROM ${prefix}subscriptions s JOIN ${digit} high JOIN ${digit} low`;
