import fc, { type Arbitrary } from "fast-check";
import type { Scalar } from "../../../lib/index.ts";

/** Written into JSON as it is: what no JavaScript value becomes, such as 1e999. */
export class Raw {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

/** JSON text that keeps -0, and writes all but ASCII as escapes on demand. */
export function toJson(value: unknown, escape: boolean): string {
  if (value instanceof Raw) return value.json;
  if (Object.is(value, -0)) return "-0";
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item, escape)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([key, item]) => `${toJson(key, escape)}:${toJson(item, escape)}`);
    return `{${fields.join(",")}}`;
  }
  const json = JSON.stringify(value);
  return escape
    ? json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : json;
}

const awkward = [
  "",
  " ",
  "\0",
  "\ufeff",
  "'; DROP TABLE contacts; --",
  "%_\\",
  "😀",
  "e\u0301",
  "\u2028",
  "__proto__",
  "null",
  "{}",
];

/** Any text of at most this many bytes, and now and then of exactly that many. */
export function text(maxBytes: number): Arbitrary<string> {
  return fc.oneof(
    { weight: 10, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
    { weight: 5, arbitrary: fc.constantFrom(...awkward) },
    { weight: 1, arbitrary: fc.constantFrom("x".repeat(maxBytes), "é".repeat(maxBytes / 2)) },
  );
}

export const number: Arbitrary<number> = fc.oneof(
  fc.constantFrom(-0, 0, 1e-320, 5e-324, 9_007_199_254_740_991, -9_007_199_254_740_991, 0.1, -1.5, 1e15),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n)),
  fc.integer(),
);

const scalar: Arbitrary<Scalar> = fc.oneof(text(4_096), number, fc.boolean());

const propertyKey = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "toJSON", "", "a.b", "1", "length"),
  text(100),
);

export const properties: Arbitrary<Record<string, Scalar>> = fc.oneof(
  { weight: 30, arbitrary: namedValues(fc.tuple(propertyKey, scalar)) },
  { weight: 1, arbitrary: fc.constant(Object.fromEntries(Array.from({ length: 256 }, (_, n) => [`p${n}`, n]))) },
);

/** Every name is an own property, `__proto__` too. */
export function namedValues<Value>(entry: Arbitrary<[string, Value]>): Arbitrary<Record<string, Value>> {
  return fc
    .uniqueArray(entry, { selector: ([name]) => name, maxLength: 6 })
    .map((entries) => Object.fromEntries(entries));
}

const ordinaryEmail = fc.constantFrom("ada@example.com", "ADA@Example.com", "bob@example.com", "k@example.com");

export const email: Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: ordinaryEmail },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "\u212a@example.com",
      "O'Neil+tag/x=?@b",
      "ünï@exämple.com",
      `${"x".repeat(242)}@example.com`,
    ),
  },
);

/** Neither `.` nor `..`, which no URL can hold as a segment. */
export const externalId: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("u_1", "u_1", "U_1", "a/b", "%2F", "x?y#z", "__proto__") },
  { weight: 6, arbitrary: ordinaryEmail },
  {
    weight: 1,
    arbitrary: text(255).filter((id) => id.trim() === id && !/^\.{0,2}$/.test(id) && !id.includes("\0")),
  },
);

export const eventKey: Arbitrary<string> = fc.oneof(
  fc.constantFrom("signed_up", "bought", "Käufe: 50 %", "constructor"),
  text(100).filter((key) => key.trim() !== "" && !/\p{Cc}/u.test(key)),
);

/** What is answered for each time that is sent. */
export const times: Record<string, string> = {
  "2026-01-31T09:00:00Z": "2026-01-31T09:00:00.000Z",
  "2026-01-31T10:00:00.0009+01:00": "2026-01-31T09:00:00.000Z",
  "0001-01-01T00:00:00Z": "0001-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z": "9999-12-31T23:59:59.999Z",
};
