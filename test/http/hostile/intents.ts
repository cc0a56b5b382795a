import fc, { type Arbitrary } from "fast-check";
import type { AttributeType, Scalar } from "../../../lib/index.ts";
import { email, eventKey, externalId, namedValues, number, properties, text, times } from "./values.ts";

/** The fields of a contact as they are sent. All optional, but `email` in an upsert. */
export interface ContactInput {
  email?: string;
  externalId?: string | null;
  name?: string | null;
  phone?: string | null;
  avatarUrl?: string | null;
  role?: string | null;
  plan?: string | null;
  signedUpAt?: string | null;
  customAttributes?: Record<string, Scalar | null>;
}

export type EventInput = ({ externalId: string; eventKey: string } | { email: string; event: string }) & {
  properties?: Record<string, Scalar>;
  createdAt?: string;
};

/** A valid request, by what it means. */
export type Intent =
  | { kind: "upsert"; input: ContactInput & { email: string } }
  | { kind: "get"; method: "GET" | "HEAD"; identifier: string }
  | { kind: "patch"; identifier: string; input: ContactInput }
  | { kind: "delete"; identifier: string }
  | { kind: "track"; input: EventInput; idempotencyKey: string | null };

/** Defined in the workspace, some of them as what every object inherits. */
export const attributeTypes: Record<string, AttributeType> = Object.fromEntries([
  ["seats", "number"],
  ["vip", "boolean"],
  ["note", "text"],
  ["constructor", "text"],
  ["toString", "number"],
]);

const orNull = <Value>(arbitrary: Arbitrary<Value>): Arbitrary<Value | null> => fc.option(arbitrary, { freq: 4 });

const valuesOf = { number, boolean: fc.boolean(), text: text(4_096), date: fc.constantFrom(...Object.keys(times)) };

const customAttributes = namedValues(
  fc.oneof(
    ...Object.entries(attributeTypes).map(([key, type]) =>
      fc.tuple(fc.constant(key), orNull<Scalar>(valuesOf[type] as Arbitrary<Scalar>)),
    ),
  ),
);

const changes = fc.record(
  {
    externalId: orNull(externalId),
    name: orNull(text(1_000)),
    phone: orNull(text(1_000)),
    avatarUrl: orNull(fc.constantFrom("https://example.com/ü?a#b", "HTTP://x", `http://x/${"y".repeat(2_039)}`)),
    role: orNull(text(1_000)),
    plan: orNull(text(1_000)),
    signedUpAt: orNull(fc.constantFrom(...Object.keys(times))),
    customAttributes,
  },
  { requiredKeys: [] },
);

export const newContact: Arbitrary<ContactInput & { email: string }> = fc
  .tuple(email, fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 3, arbitrary: changes }))
  .map(([address, fields]) => ({ ...fields, email: address }));

export const contactChanges: Arbitrary<ContactInput> = fc
  .tuple(changes, fc.option(email, { freq: 2 }))
  .map(([fields, address]) => (address === null ? fields : { ...fields, email: address }));

export const newEvent: Arbitrary<EventInput> = fc
  .tuple(
    fc.oneof(fc.record({ externalId, eventKey }), fc.record({ email, event: eventKey })),
    fc.option(properties, { freq: 4 }),
    fc.option(fc.constantFrom(...Object.keys(times).filter((time) => time < "2027")), { freq: 2 }),
  )
  .map(([event, values, createdAt]) => ({
    ...event,
    ...(values !== null && { properties: values }),
    ...(createdAt !== null && { createdAt }),
  }));

const idempotencyKey = fc.option(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("k1", "k2", "k3") },
    { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 255 }).filter((key) => /^[!#-~]+$/.test(key)) },
  ),
  { freq: 2 },
);

/** A few events that come again and again, so that keys meet the body they were used with. */
const repeatedEvent = fc.constantFrom<EventInput>(
  { externalId: "ada@example.com", eventKey: "bought", properties: { a: 1, b: -0 } },
  { properties: { b: 0, a: 1 }, eventKey: "bought", externalId: "ada@example.com" },
  { externalId: "ada@example.com", eventKey: "bought", createdAt: "2026-01-31T09:00:00Z" },
  { externalId: "ada@example.com", eventKey: "bought", createdAt: "2026-01-31T10:00:00.0009+01:00" },
  { email: "BOB@example.com", event: "bought" },
);

export const anyIntent: Arbitrary<Intent> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("upsert" as const), input: newContact }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("get" as const),
      method: fc.constantFrom("GET" as const, "GET" as const, "HEAD" as const),
      identifier: externalId,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("patch" as const), identifier: externalId, input: contactChanges }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), identifier: externalId }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("track" as const),
      input: fc.oneof(newEvent, repeatedEvent),
      idempotencyKey,
    }),
  },
);
