import assert from "node:assert/strict";
import { test } from "node:test";
import { createTracker } from "whodid";
import { memoryStorage } from "whodid/memory";
import type { Order, Rows, Store, User } from "../src/database.ts";
import { definitions, type ShopTracker } from "../src/definitions.ts";
import { importPast } from "../src/past.ts";
import { createShop } from "../src/shop.ts";
import { winBack } from "../src/win-back.ts";

/** A shop on memory, on the first day of a clock that the test moves. */
async function openShop() {
  let today = 1;
  const now = () => new Date(Date.UTC(2026, 0, today));
  const tracker = createTracker({ storage: memoryStorage(), definitions, now });
  await tracker.provision();
  const store = memoryStore(tracker);
  const mails: string[] = [];
  const handler = winBack(async (to) => void mails.push(to));
  const mailsOn = async (day: number): Promise<number> => {
    today = day;
    await tracker.work({ until: "caught-up" });
    await tracker.subscriptions.consume("mailer", { transaction: true, until: "caught-up" }, handler);
    return mails.splice(0).length;
  };
  return { tracker, store, shop: createShop(tracker, store), mailsOn };
}

test("an order ticks the last first step", async () => {
  const { tracker, shop } = await openShop();
  const id = await shop.logIn("ada@example.com");
  assert.equal(await shop.logIn("ada@example.com"), id);
  await tracker.events.track({ externalId: id, eventKey: "product_viewed", properties: { product: "assam" } });
  await shop.order(id, "assam");
  const [firstSteps] = await tracker.checklists.progress(id);
  assert.deepEqual(firstSteps?.progress, { completed: 3, total: 3 });
});

test("an order whose row cannot be written has no event", async () => {
  const { tracker, store } = await openShop();
  const addOrder = async () => assert.fail("the disk is full");
  const transaction: Store["transaction"] = (run) => store.transaction((rows, tx) => run({ ...rows, addOrder }, tx));
  const shop = createShop(tracker, { ...store, transaction });
  const id = await shop.logIn("ada@example.com");
  await assert.rejects(shop.order(id, "assam"), /the disk is full/);
  assert.deepEqual((await tracker.events.list(id, { eventKey: "order_completed" })).items, []);
});

test("a customer without an order is mailed once a quarter", async () => {
  const { shop, mailsOn } = await openShop();
  await shop.order(await shop.logIn("ada@example.com"), "assam");
  const mails = [];
  for (const day of [1, 90, 92, 93, 181, 183, 184]) mails.push(await mailsOn(day));
  assert.deepEqual(mails, [0, 0, 1, 0, 0, 1, 0]);
});

test("the past is imported once, without a mail, and counts as any other day", async () => {
  const { tracker, mailsOn } = await openShop();
  const users = ["ada", "bob"].map((id) => ({ id, email: `${id}@example.com`, createdAt: new Date("2025-01-01") }));
  const orderOn = (createdAt: Date, userId: string) => ({ id: userId, userId, product: "tea", cents: 1, createdAt });
  const orders = [orderOn(new Date("2025-12-01"), "ada"), orderOn(new Date("2025-02-01"), "bob")];
  assert.equal(await mailsOn(1), 0);
  for (let n = 0; n < 2; n++) await importPast(tracker, users, orders);
  const { items } = await tracker.events.list("ada");
  const days = items.map((event) => event.createdAt.slice(0, 10));
  assert.deepEqual(days, ["2025-12-01", "2025-01-01"]);
  assert.deepEqual([await mailsOn(2), await mailsOn(61)], [0, 1]);
});

test("an account is exported whole, and deleted whole", async () => {
  const { tracker, store, shop } = await openShop();
  const id = await shop.logIn("ada@example.com");
  const orderId = await shop.order(id, "sencha");
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
