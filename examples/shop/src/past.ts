// Gives whodid the users and orders from before it. Sends no mails, and records nothing twice, by keys that the shop gives too.
import type { ItemResult } from "whodid";
import type { Order, User } from "./database.ts";
import type { ShopTracker } from "./definitions.ts";

export async function importPast({ contacts, events }: ShopTracker, users: User[], orders: Order[]): Promise<void> {
  const silently = { notify: false };
  const contactOf = ({ id, email }: User) => ({ email, externalId: id });
  await contacts.upsertMany(users.map(contactOf), throwIfFailed, silently);
  const signUps = users.map(({ id, createdAt }) => {
    return { externalId: id, eventKey: "signed_up", createdAt, idempotencyKey: `signed_up:${id}` } as const;
  });
  const purchases = orders.map(({ id, userId, cents, createdAt }) => {
    const event = { externalId: userId, eventKey: "order_completed", properties: { orderId: id, cents } } as const;
    return { ...event, createdAt, idempotencyKey: `order_completed:${id}` };
  });
  await events.trackMany([...signUps, ...purchases], throwIfFailed, silently);
}

function throwIfFailed(result: ItemResult<object>): void {
  if (!result.ok && result.error.code !== "idempotency_key_reused") throw result.error;
}
