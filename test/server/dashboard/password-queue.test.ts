import assert from "node:assert/strict";
import { networksOf } from "../../../server/dashboard/addresses.ts";
import { createPasswordQueue, type TryPassword } from "../../../server/dashboard/password-queue.ts";
import { untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

interface Scene {
  /** Of a client that is in one network. */
  tryPassword(client: string, password: string): Promise<boolean>;
  tryAs: TryPassword;
  /** The passwords in the order in which they were checked. */
  checked: string[];
  /** Waits until only the end of a pause can change anything. */
  settled(): Promise<void>;
  /** Then ends the pauses that have begun, and tells how many. */
  endPauses(): Promise<number>;
  atOnceMax(): number;
}

function open(): Scene {
  const checked: string[] = [];
  const pauses: (() => void)[] = [];
  let atOnce = 0;
  let atOnceMax = 0;
  const tryAs = createPasswordQueue({
    async isRight(password) {
      checked.push(password);
      atOnceMax = Math.max(atOnceMax, ++atOnce);
      await new Promise(setImmediate);
      atOnce--;
      if (password === "broken") throw new Error("broken");
      return password === "right";
    },
    pause: () => new Promise<void>((resolve) => pauses.push(resolve)),
  });
  const settled = async (): Promise<void> => {
    for (let before = -1; before < checked.length;) {
      before = checked.length;
      for (let n = 0; n < 5; n++) await new Promise(setImmediate);
    }
  };
  return {
    tryPassword: (client, password) => tryAs([client], password),
    tryAs,
    checked,
    atOnceMax: () => atOnceMax,
    settled,
    async endPauses() {
      await settled();
      const ended = pauses.length;
      for (const end of pauses.splice(0)) end();
      return ended;
    },
  };
}

/** The networks of an address. */
function from(remoteAddress: string): string[] {
  return networksOf({ socket: untyped({ remoteAddress }), headers: {} }, 0);
}

const refused = { code: "rate_limited" };

suite("tries of the dashboard's password", (test) => {
  test("are right or wrong, and a failure waits for the end of its pause", async () => {
    const { tryPassword, endPauses } = open();
    assert.equal(await tryPassword("a", "right"), true);
    let answered = false;
    const wrong = tryPassword("a", "wrong").finally(() => (answered = true));
    for (let n = 0; n < 10; n++) await new Promise(setImmediate);
    assert.equal(answered, false);
    assert.equal(await endPauses(), 1);
    assert.equal(await wrong, false);
  });

  test("are checked one at a time", async () => {
    const { tryPassword, atOnceMax, endPauses } = open();
    const tries = Array.from({ length: 20 }, (_, n) => tryPassword(`client ${n}`, "wrong"));
    assert.equal(await endPauses(), 20);
    assert.deepEqual(new Set(await Promise.all(tries)), new Set([false]));
    assert.equal(atOnceMax(), 1);
  });

  test("of one client wait for each other's pauses, and others' do not", async () => {
    const { tryPassword, checked, settled, endPauses } = open();
    const tries = [tryPassword("a", "a1"), tryPassword("a", "a2"), tryPassword("b", "b1"), tryPassword("a", "a3")];
    await settled();
    assert.deepEqual(checked, ["a1", "b1"]);
    await endPauses();
    await settled();
    assert.deepEqual(checked, ["a1", "b1", "a2"]);
    assert.equal(await tryPassword("b", "right"), true);
    await settled();
    assert.deepEqual(checked, ["a1", "b1", "a2", "right"]);
    await endPauses();
    await endPauses();
    assert.deepEqual(checked, ["a1", "b1", "a2", "right", "a3"]);
    assert.deepEqual(await Promise.all(tries), [false, false, false, false]);
  });

  test("of one client, a thousand of them, keep nobody else waiting for more than one turn, and most are refused", async () => {
    const { tryPassword, checked, endPauses } = open();
    const flood = Array.from({ length: 1_000 }, (_, n) => tryPassword("flood", `f${n}`));
    const outcomes = Promise.allSettled(flood);
    assert.equal(await tryPassword("a", "right"), true);
    assert.deepEqual(checked, ["f0", "right"]);
    for (let n = 0; n < 6; n++) await endPauses();
    const refusals = (await outcomes).filter(({ status }) => status === "rejected");
    assert.equal(refusals.length, 994);
    assert.deepEqual(checked.slice(2), ["f1", "f2", "f3", "f4", "f5"]);
    await assert.rejects(flood[999]!, refused);
  });

  test("of many clients are answered in the order in which they came", async () => {
    const { tryPassword, checked, endPauses } = open();
    const first = Array.from({ length: 50 }, (_, n) => [
      tryPassword(`c${n}`, `${n}, 1`),
      tryPassword(`c${n}`, `${n}, 2`),
    ]);
    assert.equal(await tryPassword("late", "right"), true);
    assert.equal(checked.indexOf("right"), 50);
    await endPauses();
    await endPauses();
    await Promise.all(first.flat());
    assert.equal(checked.length, 101);
  });

  test("are refused beyond a thousand clients, until one of them has its answer", async () => {
    const { tryPassword, endPauses } = open();
    const tries = Array.from({ length: 1_000 }, (_, n) => tryPassword(`c${n}`, "wrong"));
    await assert.rejects(tryPassword("late", "right"), refused);
    await endPauses();
    await Promise.all(tries);
    assert.equal(await tryPassword("late", "right"), true);
  });

  test("of a whole IPv6 network of 48 bits are at most 24, and others log in at their turn", async () => {
    const { tryAs, checked, endPauses } = open();
    const addresses = Array.from({ length: 3_000 }, (_, n) => `2001:db8:1:${n.toString(16)}::1`);
    const outcomes = Promise.allSettled(addresses.map((address) => tryAs(from(address), "wrong")));
    assert.equal(await tryAs(from("2001:db8:2::1"), "right"), true);
    assert.equal(await tryAs(from("203.0.113.7"), "right"), true);
    assert.equal(checked.indexOf("right"), 24);
    await assert.rejects(tryAs(from("2001:db8:1:ffff::1"), "right"), refused);
    await endPauses();
    assert.equal((await outcomes).filter(({ status }) => status === "fulfilled").length, 24);
    assert.equal(await tryAs(from("2001:db8:1:ffff::1"), "right"), true);
  });

  test("of an IPv6 network of 56 bits are at most 12, and of 64 bits at most 6", async () => {
    for (const [bits, expected] of [
      [56, 12],
      [64, 6],
    ] as const) {
      const { tryAs, endPauses } = open();
      const tries = Array.from({ length: 100 }, (_, n) =>
        tryAs(from(bits === 56 ? `2001:db8:1:2${n.toString(16).padStart(2, "0")}::1` : `2001:db8:1:2::${n}`), "wrong"),
      );
      const outcomes = Promise.allSettled(tries);
      for (let n = 0; n < 6; n++) await endPauses();
      assert.equal((await outcomes).filter(({ status }) => status === "fulfilled").length, expected);
    }
  });

  test("of a browser that is known have a queue of their own, which goes first, under the usual limit", async () => {
    const { tryAs, tryPassword, checked, endPauses } = open();
    const strangers = Array.from({ length: 1_000 }, (_, n) => tryPassword(`c${n}`, "wrong"));
    await assert.rejects(tryPassword("late", "right"), refused);
    assert.equal(await tryAs({ browser: "b" }, "right"), true);
    assert.ok(checked.indexOf("right") <= 1);
    const wrong = Array.from({ length: 6 }, () => tryAs({ browser: "b" }, "wrong"));
    await assert.rejects(tryAs({ browser: "b" }, "right"), refused);
    assert.equal(await tryAs({ browser: "another" }, "right"), true);
    for (let n = 0; n < 6; n++) await endPauses();
    await Promise.all([...wrong, ...strangers]);
  });

  test("go on after a check that failed by itself", async () => {
    const { tryPassword } = open();
    const [broken, next, other] = [tryPassword("a", "broken"), tryPassword("a", "right"), tryPassword("b", "right")];
    await assert.rejects(broken, /broken/);
    assert.deepEqual(await Promise.all([next, other]), [true, true]);
  });
});
