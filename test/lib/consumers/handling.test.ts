import assert from "node:assert/strict";
import { deferred, named, subscribed } from "../../support/consuming.ts";
import { suite } from "../../support/suite.ts";

const ada = { email: "ada@example.com" };
const bob = { email: "bob@example.com" };
const caughtUp = { until: "caught-up" } as const;
/** Pauses that are over when the next changes are taken, nearly always. */
const quick = { firstPauseSeconds: 0.001, longestPauseSeconds: 0.001 };

suite({ name: "handling a change", atOnce: 8 }, (test) => {
  test("a change that fails is tried again after a pause, before the later ones of its contact", async () => {
    const { tracker, errors } = await subscribed();
    await tracker.contacts.upsert(ada);
    await tracker.contacts.upsert(bob);
    await tracker.events.track({ externalId: ada.email, eventKey: "later" });
    const seen: string[] = [];
    const done = deferred();
    const worker = tracker.subscriptions.consume("all", quick, (change) => {
      const email = "email" in change.contact ? change.contact.email.slice(0, 3) : "";
      seen.push(`${email} ${named(change)}`);
      if (seen.filter((each) => each === "ada contact_created").length < 3 && email === "ada")
        throw new Error("no mail");
      if (named(change) === "later") done.resolve();
    });
    await done.promise;
    await worker.stop();
    assert.equal(seen.filter((each) => each === "bob contact_created").length, 1);
    const created = "ada contact_created";
    assert.deepEqual(
      seen.filter((each) => each.startsWith("ada")),
      [created, created, created, "ada later"],
    );
    assert.deepEqual(errors, ["no mail", "no mail"]);
  });

  test("until caught up it leaves the contacts that wait, and counts the tries that failed", async () => {
    const { tracker } = await subscribed();
    await tracker.contacts.upsert(ada);
    await tracker.contacts.upsert(bob);
    await tracker.events.track({ externalId: ada.email, eventKey: "later" });
    const result = await tracker.subscriptions.consume("all", caughtUp, (change) => {
      if ("email" in change.contact && change.contact.email === ada.email) throw new Error("no mail");
    });
    assert.deepEqual(result, { handled: 1, failed: 1 });
    assert.deepEqual((await tracker.subscriptions.parked("all")).items, []);
  });

  test("after the last try the contact is parked with the last error", async () => {
    const { tracker } = await subscribed();
    await tracker.contacts.upsert(ada);
    const parked = deferred();
    let tries = 0;
    const worker = tracker.subscriptions.consume("all", { ...quick, tries: 3 }, async () => {
      tries++;
      if (tries === 3) setImmediate(() => parked.resolve());
      throw new RangeError(`try ${tries}`);
    });
    await parked.promise;
    await worker.stop();
    const [contact] = (await tracker.subscriptions.parked("all")).items;
    assert.deepEqual(
      [contact?.error, contact?.tries, contact?.change?.kind],
      ["RangeError: try 3", 3, "contact_created"],
    );
    assert.equal(tries, 3);
  });

  for (const [thrown, text] of [
    [undefined, "undefined"],
    ["no", "'no'"],
    [Object.create(null), "[Object: null prototype] {}"],
    [new Error("\ud83d"), "Error: \ufffd"],
    [new Error("x".repeat(5_000)), `Error: ${"x".repeat(993)}`],
    [Object.assign(new Error("no"), { name: Symbol("no") }), "An error without a readable text."],
  ] as const) {
    test(`a handler may throw anything: ${text.slice(0, 40)}`, async () => {
      const { tracker } = await subscribed();
      await tracker.contacts.upsert(ada);
      const result = await tracker.subscriptions.consume("all", { ...caughtUp, tries: 1 }, () => {
        throw thrown;
      });
      assert.deepEqual(result, { handled: 0, failed: 1 });
      assert.equal((await tracker.subscriptions.parked("all")).items[0]?.error, text);
    });
  }

  test("a handler that writes into its change parks the contact of the change", async () => {
    const { tracker } = await subscribed();
    const { contact } = await tracker.contacts.upsert(ada);
    const result = await tracker.subscriptions.consume("all", { ...caughtUp, tries: 1 }, (change) => {
      change.contact = { ...change.contact, id: "mine" };
      change.id = "mine";
      throw new Error("no mail");
    });
    assert.deepEqual(result, { handled: 0, failed: 1 });
    const [waiting] = (await tracker.subscriptions.parked("all")).items;
    assert.equal(waiting?.contactId, contact.id);
    assert.equal(waiting?.changeId, waiting?.change?.id);
  });

  for (const transaction of [false, true]) {
    const kind = transaction ? "in a transaction" : "without a transaction";
    test(`a handler that never settles fails after its time, with its signal aborted, ${kind}`, async () => {
      const { tracker } = await subscribed();
      await tracker.contacts.upsert(ada);
      const options = { ...caughtUp, transaction, tries: 1, handlerTimeoutSeconds: 0.05 };
      const signals: AbortSignal[] = [];
      const result = await tracker.subscriptions.consume("all", options, async (_, { signal }) => {
        signals.push(signal);
        await new Promise(() => {});
      });
      assert.deepEqual(result, { handled: 0, failed: 1 });
      assert.equal(signals[0]?.aborted, true);
      const [contact] = (await tracker.subscriptions.parked("all")).items;
      assert.equal(contact?.error, "Error: The handler did not settle within 0.05 s.");
    });
  }

  test("a signal that a handler first takes after its time is aborted, with the reason", async () => {
    const { tracker } = await subscribed();
    await tracker.contacts.upsert(ada);
    const contexts: { signal: AbortSignal }[] = [];
    const options = { ...caughtUp, tries: 1, handlerTimeoutSeconds: 0.05 };
    await tracker.subscriptions.consume("all", options, async (_, context) => {
      contexts.push(context);
      await new Promise(() => {});
    });
    const { aborted, reason } = contexts[0]!.signal;
    assert.deepEqual([aborted, (reason as Error).message], [true, "The handler did not settle within 0.05 s."]);
  });

  test("in a transaction the rows of a handler that fails are rolled back, and those of the next try kept", async () => {
    const { tracker } = await subscribed();
    await tracker.subscriptions.define({ key: "all", on: { contacts: true } });
    await tracker.contacts.upsert(ada);
    let tries = 0;
    const done = deferred();
    const worker = tracker.subscriptions.consume("all", { ...quick, transaction: true }, async (_, { tx }) => {
      await tx.events.track({ externalId: ada.email, eventKey: `try_${++tries}` });
      if (tries === 1) throw new Error("no stock");
      done.resolve();
    });
    await done.promise;
    await worker.stop();
    const { items } = await tracker.events.list(ada.email);
    assert.deepEqual(
      items.map(({ eventKey }) => eventKey),
      ["try_2"],
    );
  });

  test("a handler that commits its transaction itself has failed", async () => {
    const { tracker } = await subscribed();
    await tracker.contacts.upsert(ada);
    const options = { ...caughtUp, transaction: true, tries: 1 } as const;
    const result = await tracker.subscriptions.consume("all", options, (_, { connection }) => connection.commit());
    assert.deepEqual(result, { handled: 0, failed: 1 });
    const [contact] = (await tracker.subscriptions.parked("all")).items;
    assert.match(contact?.error ?? "", /^TrackerError: The transaction is not open/);
  });

  test("a deleted contact is handled once more, for its deletion", async () => {
    const { tracker } = await subscribed();
    const seen: string[] = [];
    await tracker.contacts.upsert(ada);
    const handler = (change: Parameters<typeof named>[0]): void => {
      seen.push(named(change));
      if (seen.length === 1) throw new Error("no mail");
    };
    await tracker.subscriptions.consume("all", { ...caughtUp, tries: 1 }, handler);
    await tracker.contacts.delete(ada.email);
    await tracker.subscriptions.consume("all", caughtUp, handler);
    assert.deepEqual(seen, ["contact_created", "contact_deleted"]);
  });
});
