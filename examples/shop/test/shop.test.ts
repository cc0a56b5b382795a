import assert from "node:assert/strict";
import { test } from "node:test";
import { testTracker } from "whodid/testing";
import type { Order, Rows, Store, User } from "../src/database.ts";
import { definitions, type ShopTracker } from "../src/definitions.ts";
import { importPast } from "../src/past.ts";
import { createShop } from "../src/shop.ts";
import { winBack } from "../src/win-back.ts";

/** A shop on memory, whose clock the test moves. */
function openShop() {
  const { tracker, advance } = testTracker({ definitions, now: "2026-01-01" });
  const store = memoryStore(tracker);
  const mails: string[] = [];
  tracker.subscriptions.consume(
    "mailer",
    { transaction: true },
    winBack(async (to) => void mails.push(to)),
  );
  const mailsAfter = async (days: number): Promise<number> => {
    await advance({ days });
    return mails.splice(0).length;
  };
  return { tracker, store, shop: createShop(tracker, store), mailsAfter };
}

test("an order ticks the last first step", async () => {
  const { tracker, shop } = openShop();
  const id = await shop.logIn("ada@example.com");
  assert.equal(await shop.logIn("ada@example.com"), id);
  await tracker.events.track({ externalId: id, eventKey: "product_viewed", properties: { product: "assam" } });
  await shop.order(id, "assam");
  const [firstSteps] = await tracker.checklists.progress(id);
  assert.deepEqual(firstSteps?.progress, { completed: 3, total: 3 });
});

test("an order whose row cannot be written has no event", async () => {
  const { tracker, store } = openShop();
  const addOrder = async () => assert.fail("the disk is full");
  const transaction: Store["transaction"] = (run) => store.transaction((rows, tx) => run({ ...rows, addOrder }, tx));
  const shop = createShop(tracker, { ...store, transaction });
  const id = await shop.logIn("ada@example.com");
  await assert.rejects(shop.order(id, "assam"), /the disk is full/);
  assert.deepEqual((await tracker.events.list(id, { eventKey: "order_completed" })).items, []);
});

test("a customer without an order is mailed once a quarter", async () => {
  const { shop, mailsAfter } = openShop();
  await shop.order(await shop.logIn("ada@example.com"), "assam");
  const mails = [];
  for (const days of [89, 2, 1, 88, 2, 1]) mails.push(await mailsAfter(days));
  assert.deepEqual(mails, [0, 1, 0, 0, 1, 0]);
});

test("the past is imported once, without a mail, and counts as any other day", async () => {
  const { tracker, mailsAfter } = openShop();
  const users = ["ada", "bob"].map((id) => ({ id, email: `${id}@example.com`, createdAt: new Date("2025-01-01") }));
  const orderOn = (createdAt: Date, userId: string) => ({ id: userId, userId, product: "tea", cents: 1, createdAt });
  const orders = [orderOn(new Date("2025-12-01"), "ada"), orderOn(new Date("2025-02-01"), "bob")];
  for (let n = 0; n < 2; n++) await importPast(tracker, users, orders);
  const { items } = await tracker.events.list("ada");
  const days = items.map((event) => event.createdAt.slice(0, 10));
  assert.deepEqual(days, ["2025-12-01", "2025-01-01"]);
  assert.deepEqual([await mailsAfter(1), await mailsAfter(59)], [0, 1]);
});

test("an account is exported whole, and deleted whole", async () => {
  const { tracker, store, shop } = openShop();
  const id = await shop.logIn("ada@example.com");
  const orderId = await shop.order(id, "sencha");
  await importPast(tracker, [(await store.findUser(id))!], await store.findOrders(id)); // Records nothing twice.
  const { user, orders, tracked } = await shop.exportAccount(id);
  assert.deepEqual([user?.id, orders[0]?.id, tracked.contact.externalId, tracked.events.length], [id, orderId, id, 2]);
  await shop.deleteAccount(id);
  const left = [await tracker.contacts.get(id), await store.findUser(id), await store.findOrders(id)];
  assert.deepEqual(left, [null, undefined, []]);
});

/** The store of the tests. A transaction that fails puts both lists back. */
function memoryStore(tracker: ShopTracker): Store {
  let users: User[] = [];
  let orders: Order[] = [];
  const rows: Rows = {
    findUser: async (key) => users.find(({ id, email }) => id === key || email === key),
    addUser: async (user) => (users = [...users, user]),
    async deleteUser(id) {
      users = users.filter((user) => user.id !== id);
      orders = orders.filter((order) => order.userId !== id);
    },
    addOrder: async (order) => (orders = [...orders, order]),
    findOrders: async (userId) => orders.filter((order) => order.userId === userId),
  };
  return {
    ...rows,
    async transaction(run) {
      const before = { users, orders };
      try {
        return await tracker.transaction((tx) => run(rows, tx));
      } catch (error) {
        ({ users, orders } = before);
        throw error;
      }
    },
  };
}
