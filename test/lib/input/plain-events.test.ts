import assert from "node:assert/strict";
import fc, { type Arbitrary } from "fast-check";
import { isPlainEvent } from "../../../lib/input/plain-events.ts";
import { copyOf, issuesOf } from "../../../lib/input/shapes.ts";
import {
  keyedEventStruct,
  keyedOlderEventStruct,
  newEventStruct,
  olderEventStruct,
} from "../../../lib/input/structs.ts";
import { suite } from "../../support/suite.ts";

const awkward = [
  "",
  " ",
  " u",
  "u ",
  "u\u2003",
  "\ufeffu",
  "a b",
  "\0",
  "a\0b",
  "\n",
  "a\u0085",
  "\x7f",
  "e\u0301",
  "\ud800",
  "a\udfff",
  "😀",
];
const oneByte = [100, 101, 255, 256, 4_096, 4_097].map((bytes) => "x".repeat(bytes));
const twoBytes = [50, 51, 127, 128, 2_048, 2_049].map((count) => "é".repeat(count));
const texts = [...awkward, ...oneByte, ...twoBytes];
const numbers = [-0, 0, 42.5, 5e-324, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1.5e300, Infinity, -Infinity, NaN];
const others = [
  null,
  undefined,
  true,
  1n,
  Symbol("u"),
  [],
  {},
  ["u"],
  { a: 1 },
  new Date(0),
  Object("u") as object,
  () => "u",
];
const strange: Arbitrary<unknown> = fc.constantFrom<unknown>(...texts, ...numbers, ...others);

const mostly = (usual: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: strange });
const text = (maxLength: number): Arbitrary<string> => fc.string({ unit: "binary", minLength: 1, maxLength });
const names = ["plan", "__proto__", "constructor", "toString", "hasOwnProperty", "length", "1", "", ...texts];
const entries = fc.array(
  fc.tuple(fc.oneof(fc.constantFrom(...names), text(8)), mostly(fc.oneof(text(20), fc.double(), fc.boolean()))),
  { maxLength: 4 },
);
const manyEntries = fc
  .constantFrom(255, 256, 257)
  .map((count) => Array.from({ length: count }, (_, n) => [`p${n}`, n]));

/** An object of these entries: a literal or a class's instance, with getters, without a prototype, or what only looks like an object. */
const forms: ((entries: [string, unknown][]) => unknown)[] = [
  ownOf,
  (given) => Object.freeze(ownOf(given)),
  (given) => Object.setPrototypeOf(ownOf(given), null) as unknown,
  (given) => Object.setPrototypeOf(ownOf(given), new (class Event {})()) as unknown,
  (given) => Object.create(ownOf(given)) as unknown,
  (given) =>
    Object.defineProperties(
      {},
      Object.fromEntries(given.map(([key, value]) => [key, { get: () => value, enumerable: true }])),
    ),
  (given) => Object.assign(ownOf(given), { [Symbol("hidden")]: 1 }),
  (given) => new Proxy(ownOf(given), {}),
  (given) => Object.defineProperty(ownOf(given), Symbol.toStringTag, { value: "Map" }),
  (given) => Object.assign([], Object.fromEntries(given.filter(([key]) => key !== "length"))),
  (given) => Object.assign(new Map(), Object.fromEntries(given)),
  (given) => given,
];

function ownOf(given: [string, unknown][]): object {
  const object = {};
  for (const [key, value] of given) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

const form = fc.oneof(
  { weight: 12, arbitrary: fc.constant(ownOf) },
  { weight: 8, arbitrary: fc.constantFrom(...forms) },
);
const objectOf = (given: Arbitrary<unknown[][]>): Arbitrary<unknown> =>
  fc.tuple(form, given).map(([toForm, pairs]) => toForm(pairs as [string, unknown][]));

const field = (name: string, value: Arbitrary<unknown>, percent: number): Arbitrary<unknown[][]> =>
  fc.tuple(fc.integer({ min: 1, max: 100 }), value).map(([n, given]) => (n <= percent ? [[name, given]] : []));
const event = objectOf(
  fc
    .tuple(
      field("externalId", mostly(text(20)), 95),
      field("eventKey", mostly(text(20)), 95),
      field(
        "properties",
        mostly(objectOf(fc.oneof({ weight: 9, arbitrary: entries }, { weight: 1, arbitrary: manyEntries }))),
        60,
      ),
      field(
        "createdAt",
        mostly(fc.constantFrom("2026-01-31T09:00:00Z", new Date(0), "2026-02-30T09:00:00Z", "now")),
        30,
      ),
      field("idempotencyKey", mostly(fc.constantFrom("k-1", "k".repeat(256), "a b")), 30),
      field("email", mostly(fc.constant("ada@example.com")), 5),
      fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: entries }),
    )
    .map((parts) => parts.flat() as unknown[][]),
);

const structs = [newEventStruct, keyedEventStruct, olderEventStruct, keyedOlderEventStruct];

suite("plain events", (test) => {
  test("an event of the newer shape is plain exactly if superstruct finds no issue", () => {
    let plain = 0;
    let runs = 0;
    const check = (input: unknown): void => {
      for (const struct of structs) {
        runs++;
        const copy = copyOf<object | null>(input, struct as never);
        const found = issuesOf(copy, struct as never);
        const isNewer = struct === newEventStruct || struct === keyedEventStruct;
        const isPlain = isPlainEvent(copy, input, struct);
        assert.equal(isPlain, found.length === 0 && isNewer);
        if (isPlain) plain++;
      }
    };
    fc.assert(fc.property(fc.oneof({ weight: 30, arbitrary: event }, { weight: 1, arbitrary: strange }), check), {
      numRuns: 10_000,
    });
    // Of the four structs two never call an event plain.
    assert.ok(plain > runs / 25, `${plain} of ${runs}`);
  });

  test("what another program has put on the prototype of all objects is checked as well", () => {
    const prototype = Object.prototype as { createdAt?: string };
    prototype.createdAt = "yesterday";
    try {
      const input = { externalId: "u_1", eventKey: "step" };
      assert.equal(isPlainEvent(copyOf(input, newEventStruct), input, newEventStruct), false);
    } finally {
      delete prototype.createdAt;
    }
  });
});
