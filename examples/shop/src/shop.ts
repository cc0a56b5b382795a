// The shop's own rules. A row and its event are in one transaction: both or neither.
import { randomUUID } from "node:crypto";
import type { Store } from "./database.ts";
import type { ShopTracker } from "./definitions.ts";

const prices = { assam: 1200, sencha: 1500 };
export type Product = keyof typeof prices;
export const isProduct = (key: unknown): key is Product => Object.keys(prices).includes(key as string);
export type Shop = ReturnType<typeof createShop>;

export function createShop(tracker: ShopTracker, store: Store) {
  return {
    /** Returns the id of the user with this email. A new email signs up. */
    logIn: (email: string) =>
      store.transaction(async (rows, tx) => {
        const known = await rows.findUser(email);
        if (known) return known.id;
        const id = randomUUID();
        const { contact } = await tx.contacts.put(id, { email });
        await rows.addUser({ id, email, createdAt: new Date(contact.createdAt) });
        await tx.events.track({ externalId: id, eventKey: "signed_up" }, { idempotencyKey: `signed_up:${id}` });
        return id;
      }),
    order: (userId: string, product: Product) =>
      store.transaction(async (rows, tx) => {
        const [id, cents] = [randomUUID(), prices[product]];
        const order = { externalId: userId, eventKey: "order_completed", properties: { orderId: id, cents } } as const;
        const { event } = await tx.events.track(order, { idempotencyKey: `order_completed:${id}` });
        await rows.addOrder({ id, userId, product, cents, createdAt: new Date(event.createdAt) });
        return id;
      }),
    /** Returns everything that the shop and whodid keep about the user. */
    async exportAccount(userId: string) {
      const [user, orders] = await Promise.all([store.findUser(userId), store.findOrders(userId)]);
      return { user, orders, tracked: await tracker.contacts.export(userId) };
    },
    /** Removes everything that the shop and whodid keep about the user. */
    deleteAccount: (userId: string) =>
      store.transaction(async (rows, tx) => {
        await rows.deleteUser(userId);
        await tx.contacts.delete(userId, { ifExists: true });
      }),
  };
}
