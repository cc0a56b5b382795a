import fc, { type Arbitrary } from "fast-check";
import { anyIntent, newContact, newEvent, type Intent } from "./intents.ts";
import { pathOf, routeOf, anyStyle, toCall, withBody, withHeader, type Attempt, type Style } from "./requests.ts";
import { Raw } from "./values.ts";

type WithBody = Extract<Intent, { input: unknown }>;

const intentWithBody = anyIntent.filter((intent): intent is WithBody => "input" in intent);
const tooLong = "é".repeat(2_049);
const notText = fc.constantFrom<unknown>(1, true, [], ["x"], {}, { toString: 1 }, { length: 1, trim: null });
const unknownName = fc.constantFrom("nickname", "__proto__", "constructor", "toString", "id", "Email", "a.b", "");
const fieldsOfText = ["name", "phone", "role", "plan", "avatarUrl", "signedUpAt", "externalId"];

/** One thing that is wrong with an object: the field, what to put there, and the issue. */
type Flaw = [field: string, value: unknown, issue: string];

const contactFlaw: Arbitrary<Flaw> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...fieldsOfText, "email", "customAttributes"), notText)
    .filter(isRefused)
    .map(wrongType),
  fc.tuple(unknownName, notText).map(([name, value]): Flaw => [name, value, `${name}: unknown_field`]),
  fc.constantFrom<Flaw>(
    ["email", null, "email: not_allowed_null"],
    ["email", "not an email", "email: invalid_format"],
    ["email", "\ud800@example.com", "email: invalid_format"],
    ["externalId", " u_1", "externalId: invalid_format"],
    ["externalId", "", "externalId: too_short"],
    ["name", tooLong, "name: too_long"],
    ["role", "\udfff", "role: invalid_format"],
    ["avatarUrl", "javascript:alert(1)", "avatarUrl: invalid_format"],
    ["signedUpAt", "2026-02-30T00:00:00Z", "signedUpAt: invalid_format"],
    ["customAttributes", null, "customAttributes: not_allowed_null"],
    ["customAttributes", { seats: new Raw("1e999") }, "customAttributes.seats: out_of_range"],
    ["customAttributes", { seats: 2 ** 53 }, "customAttributes.seats: out_of_range"],
    ["customAttributes", { vip: 1 }, "customAttributes.vip: attribute_wrong_type"],
    ["customAttributes", { note: tooLong }, "customAttributes.note: too_long"],
    ["customAttributes", { valueOf: 1 }, "customAttributes.valueOf: attribute_not_defined"],
    ["customAttributes", new Raw('{"__proto__":"x"}'), "customAttributes.__proto__: attribute_not_defined"],
  ),
);

const eventFlaw: Arbitrary<Flaw> = fc.oneof(
  fc.tuple(fc.constantFrom("properties", "createdAt"), notText).filter(isRefused).map(wrongType),
  fc.tuple(unknownName, notText).map(([name, value]): Flaw => [name, value, `${name}: unknown_field`]),
  fc.constantFrom<Flaw>(
    ["createdAt", null, "createdAt: not_allowed_null"],
    ["createdAt", "2026-02-30T00:00:00Z", "createdAt: invalid_format"],
    ["createdAt", "9999-12-31T23:59:59Z", "createdAt: out_of_range"],
    ["properties", null, "properties: not_allowed_null"],
    ["properties", { p: null }, "properties.p: not_allowed_null"],
    ["properties", new Raw('{"__proto__":{"x":1}}'), "properties.__proto__: wrong_type"],
    ["properties", { p: new Raw("-1e999") }, "properties.p: out_of_range"],
    ["properties", { p: -(2 ** 53) }, "properties.p: out_of_range"],
    ["properties", { p: "\ud800" }, "properties.p: invalid_format"],
    ["properties", { [tooLong]: 1 }, `properties.${tooLong}: too_long`],
    ["properties", Object.fromEntries(Array.from({ length: 257 }, (_, n) => [n, n])), "properties: too_long"],
  ),
);

function wrongType([field, value]: [string, unknown]): Flaw {
  return [field, value, `${field}: wrong_type`];
}

/** The two fields that take an object are not refused one for being one. */
function isRefused([field, value]: [string, unknown]): boolean {
  return !["customAttributes", "properties"].includes(field) || typeof value !== "object" || Array.isArray(value);
}

const flawedBody: Arbitrary<Attempt> = fc.oneof(
  fc
    .tuple(newContact, contactFlaw, anyStyle)
    .map(([input, flaw, style]) => flawed("upsert", "POST", "/contacts", input, flaw, style)),
  fc
    .tuple(newContact, contactFlaw, anyStyle)
    .map(([input, flaw, style]) => flawed("patch", "PATCH", "/contacts/u_1", input, flaw, style)),
  fc
    .tuple(newEvent, eventFlaw, anyStyle)
    .map(([input, flaw, style]) => flawed("track", "POST", "/events", input, flaw, style)),
);

function flawed(
  kind: Intent["kind"],
  method: string,
  path: string,
  input: object,
  [field, value, issue]: Flaw,
  style: Style,
): Attempt {
  const body = Object.fromEntries([...Object.entries(input), [field, value]]);
  const call = withBody({ method, path: pathOf(path, style) }, body, style);
  return refused(routeOf[kind], call, 400, "invalid_input", [issue]);
}

/** Bodies that are no JSON, no object, too large, or said to be something else. */
const brokenBody: Arbitrary<Attempt> = fc
  .tuple(intentWithBody, anyStyle, fc.nat({ max: 11 }))
  .map(([intent, style, choice]) => {
    const call = toCall(intent, style);
    const json = call.body as string;
    const of = (body: string | Uint8Array, status = 400, code = "malformed_json"): Attempt =>
      refused(routeOf[intent.kind], { ...call, body }, status, code);
    const choices: (() => Attempt)[] = [
      () => of(json.slice(0, -1)),
      () => of(`${json}}`),
      () => of(""),
      () => of(`\ufeff\ufeff${json}`),
      () => of(json.replace("{", "{'a':1,")),
      () => of(Buffer.concat([Buffer.from(json), Buffer.of(0xff)])),
      // A character cut in half inside a text.
      () => of(Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xf0, 0x9f), Buffer.from('"}')])),
      () => of(["null", "[]", '"x"', "1"][json.length % 4]!, 400, "invalid_input"),
      () => of(json.padEnd(65_537), 413, "body_too_large"),
      () => of("[".repeat(65_536)),
      () =>
        refused(routeOf[intent.kind], withHeader(call, "content-type", "text/plain"), 415, "unsupported_media_type"),
      () => refused(routeOf[intent.kind], withHeader(call, "content-type", ""), 415, "unsupported_media_type"),
    ];
    return choices[choice]!();
  });

const badKey: Arbitrary<Attempt> = fc
  .tuple(newEvent, anyStyle, fc.constantFrom("", '""', "k".repeat(256), "k 1", "clé", "k\tk"))
  .map(([input, style, key]) => {
    const call = toCall({ kind: "track", input, idempotencyKey: null }, style);
    return refused(routeOf.track, withHeader(call, "idempotency-key", key), 400, "invalid_header");
  });

export function refused(
  route: string,
  call: Attempt["call"],
  status: number,
  code: string,
  issues?: string[],
): Attempt {
  return { route, call, intent: null, refusal: { status, code, ...(issues && { issues }) } };
}

export const refusedBody: Arbitrary<Attempt> = fc.oneof(
  { weight: 4, arbitrary: flawedBody },
  { weight: 3, arbitrary: brokenBody },
  { weight: 1, arbitrary: badKey },
);
