import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { webhookWaitMs } from "../../../lib/model/limits.ts";
import { refusalOf } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";
import { delivering, key, nameOf, track } from "../../support/webhook-delivery.ts";
import { until } from "../../support/within.ts";

suite({ name: "the messages of a webhook", atOnce: 8 }, (test) => {
  test("a message has the change as the API shows it, and the id of the change in every try", () => {
    let tries = 0;
    return delivering(
      () => (++tries < 3 ? 500 : 200),
      async ({ tracker, receiver: { received }, got }) => {
        await track(tracker, "u_1");
        await got(3);
        assert.deepEqual([...new Set(received.map(({ id }) => id))], [received[0]!.data.id]);
        assert.equal(received[0]!.type, "contact.created");
        assert.deepEqual(received[2]!.data, (await tracker.subscriptions.recent(key))[0]);
      },
    );
  });

  test("no message of a contact begins before the one ahead was delivered, and others go on", () => {
    const failing = new Set(["first", "third"]);
    return delivering(
      ({ data }) => (failing.delete(nameOf(data)) ? 503 : 200),
      async ({ tracker, receiver: { received }, got }) => {
        await track(tracker, "u_1", "first", "second", "third", "fourth");
        await track(tracker, "u_2", "other");
        await got(9);
        const own = received.filter(({ data }) => data.contact.externalId === "u_1").map(({ data }) => nameOf(data));
        const first = own.filter((event, index) => own.indexOf(event) === index);
        assert.deepEqual(first, ["contact_created", "first", "second", "third", "fourth"]);
        assert.deepEqual(own, ["contact_created", "first", "first", "second", "third", "third", "fourth"]);
      },
    );
  });

  test("a 429 pauses the whole endpoint, and counts for nobody", () => {
    const begun: string[] = [];
    return delivering(
      (_, response) => {
        begun.push("try");
        if (begun.length > 1) return 200;
        // 1,000 s by a thousandth.
        setTimeout(() => begun.push("nearly 1 s"), 990);
        response.writeHead(429, { "retry-after": "1000" }).end();
        return undefined;
      },
      async ({ tracker, got }) => {
        await track(tracker, "u_1");
        await until(async () => (await tracker.subscriptions.webhook(key)).state === "paused");
        await track(tracker, "u_2");
        await got(3);
        assert.deepEqual(begun, ["try", "nearly 1 s", "try", "try"]);
        const { lastStatus, lastError } = await tracker.subscriptions.webhook(key);
        assert.deepEqual([lastStatus, lastError], [200, null]);
      },
    );
  });

  test("a 410 disables at once, until the webhook is enabled", () => {
    let status = 410;
    return delivering(
      () => status,
      async ({ tracker, receiver: { received, host }, errors, got }) => {
        await track(tracker, "u_1");
        await got(1);
        await until(async () => (await tracker.subscriptions.webhook(key)).state === "disabled");
        await track(tracker, "u_2");
        await sleep(50);
        assert.equal(received.length, 1);
        assert.deepEqual(errors, [`Error: The webhook "partner" (http://${host}) is disabled: gone.`]);
        status = 200;
        await tracker.subscriptions.enable(key);
        await got(3);
      },
    );
  });

  test("an endpoint that is down is probed, then all messages are delivered in order, and nobody is parked", () => {
    let isDown = true;
    return delivering(
      () => (isDown ? 500 : 200),
      async ({ tracker, receiver: { received }, errors, got, deliveries }) => {
        for (let n = 0; n < 20; n++) await track(tracker, `u_${n}`, "a", "b");
        await until(async () => (await tracker.subscriptions.webhook(key)).state === "down");
        await sleep(100);
        const { failedAlone, nextProbeAt } = {
          failedAlone: received.length,
          ...(await tracker.subscriptions.webhook(key)),
        };
        assert.ok(nextProbeAt);
        isDown = false;
        await got(failedAlone + 60);
        await until(() => deliveries.stats().delivered === 60);
        assert.deepEqual((await tracker.subscriptions.backlog(key))?.parked, 0);
        const last = received.slice(-60);
        for (let n = 0; n < 20; n++) {
          const own = last.filter(({ data }) => data.contact.externalId === `u_${n}`);
          assert.deepEqual([...new Set(own.map(({ data }) => nameOf(data)))], ["contact_created", "a", "b"]);
        }
        assert.deepEqual(
          errors.filter((error) => !error.includes(" is down: The endpoint answered 500.")),
          [],
        );
      },
    );
  });

  test("no try that begins after a definition with another URL goes to the old one", () =>
    delivering(
      () => 200,
      async ({ tracker, receiver: { received, url }, got }) => {
        await track(tracker, "u_1");
        await got(1);
        const before = tracker.subscriptions.define({ key, on: { events: true, contacts: true }, url: `${url}/new` });
        for (let n = 0; n < 10; n++) await track(tracker, `v_${n}`, "a");
        await before;
        for (let n = 0; n < 10; n++) await track(tracker, `w_${n}`, "a");
        await got(41);
        const late = received.filter(({ data }) => data.contact.externalId?.startsWith("w_"));
        assert.equal(late.length, 20);
        assert.deepEqual([...new Set(late.map(({ path }) => path))], ["/hooks/new"]);
      },
    ));

  test("two secrets sign during a rotation, and without one nothing is sent", () =>
    delivering(
      () => 200,
      async ({ tracker, receiver, got }) => {
        const { subscriptions } = tracker;
        const [old] = await subscriptions.secrets(key);
        const { secret, id } = await subscriptions.createSecret(key);
        await track(tracker, "u_1");
        await got(1);
        receiver.trust(secret);
        await track(tracker, "u_2");
        await got(2);
        assert.equal((await refusalOf(subscriptions.createSecret(key))).code, "secrets_taken");
        await subscriptions.deleteSecret(key, old!.id);
        await subscriptions.deleteSecret(key, id);
        assert.equal((await refusalOf(subscriptions.deleteSecret(key, id))).code, "secret_not_found");
        await track(tracker, "u_3");
        await sleep(50);
        assert.equal(receiver.received.length, 2);
        assert.equal((await subscriptions.webhook(key)).state, "no_secret");
        await subscriptions.define({ key: "plain", on: { events: ["a"] } });
        for (const call of [subscriptions.createSecret("plain"), subscriptions.deleteSecret("plain", id)])
          assert.match((await refusalOf(call)).message, /has no `url`/);
      },
    ));

  test("a deleted contact's messages are not sent, except that of the deletion", () => {
    let status = 500;
    return delivering(
      () => status,
      async ({ tracker, receiver: { received }, got }) => {
        await track(tracker, "u_1", "a", "b");
        await got(1);
        await tracker.contacts.delete("u_1");
        const tried = received.length;
        status = 200;
        while (received.at(-1)?.type !== "contact.deleted") await sleep(5);
        // A try that was under way may still have ended.
        assert.ok(received.length <= tried + 2);
      },
    );
  });

  test("a try that waited too long for others and for the storage is not begun", () =>
    delivering(
      () => 200,
      async ({ tracker, storage, receiver: { received }, got }) => {
        const { findWebhook } = storage;
        let reads = 0;
        storage.findWebhook = async (...of) => {
          await sleep(0.6 * webhookWaitMs);
          reads++;
          return findWebhook(...of);
        };
        await track(tracker, "u_1");
        await until(() => reads >= 2);
        assert.equal(received.length, 0);
        storage.findWebhook = findWebhook;
        await got(1);
      },
      {
        async enter() {
          await sleep(0.6 * webhookWaitMs);
          return () => {};
        },
      },
    ));

  test("`resume` with a time sends again what was logged from then on, with its old ids", () =>
    delivering(
      () => 200,
      async ({ tracker, receiver: { received }, got }) => {
        await track(tracker, "u_1", "a");
        await got(2);
        await sleep(5);
        const from = new Date();
        await sleep(5);
        await tracker.events.track({ externalId: "u_1", eventKey: "b" });
        await got(3);
        await tracker.subscriptions.resume(key, { from });
        await got(4);
        assert.equal(received[3]!.id, received[2]!.id);
        const long = refusalOf(tracker.subscriptions.resume(key, { from: "2026-01-01T00:00:00Z" }));
        assert.equal((await long).code, "changes_expired");
      },
    ));

  test("a consumer of a webhook is refused, and so is a definition that makes it none", () =>
    delivering(
      () => 200,
      async ({ tracker: { subscriptions } }) => {
        const refused = refusalOf(subscriptions.consume(key, { until: "caught-up" }, () => {}));
        assert.equal((await refused).code, "subscription_conflict");
        const none = refusalOf(subscriptions.define({ key, on: { events: true } }));
        assert.equal((await none).code, "subscription_conflict");
      },
    ));
});
