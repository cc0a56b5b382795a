import fc, { type Arbitrary } from "fast-check";
import type { DoorCall } from "../door.ts";
import { anyIntent, type Intent } from "./intents.ts";
import { toJson } from "./values.ts";

/** A request and what is known of its answer beforehand. */
export interface Attempt {
  /** For the answerCounts. */
  route: string;
  call: DoorCall;
  /** `null` for a request that is refused whatever is stored. */
  intent: Intent | null;
  refusal: ExpectedError | null;
}

export interface ExpectedError {
  status: number;
  code: string;
  /** As `path: code`; left out where they are not looked at. */
  issues?: string[];
}

/** Choices of spelling that change no meaning. */
export interface Style {
  isStripped: boolean;
  query: string;
  encode: (identifier: string) => string;
  escape: boolean;
  byteOrderMark: "" | "\ufeff";
  mediaType: string;
  inQuotes: boolean;
}

const encodeAll = (identifier: string): string => Buffer.from(identifier).toString("hex").replace(/../g, "%$&");

export const anyStyle: Arbitrary<Style> = fc.record({
  isStripped: fc.boolean(),
  query: fc.constantFrom("", "", "?", "?a=b&a=%zz#c"),
  encode: fc.constantFrom(encodeURIComponent, encodeAll, (identifier: string) => encodeAll(identifier).toUpperCase()),
  escape: fc.boolean(),
  byteOrderMark: fc.constantFrom("", "", "\ufeff"),
  mediaType: fc.constantFrom("application/json", "Application/JSON; charset=UTF-8"),
  inQuotes: fc.boolean(),
});

export const plainStyle: Style = {
  isStripped: false,
  query: "",
  encode: encodeURIComponent,
  escape: false,
  byteOrderMark: "",
  mediaType: "application/json",
  inQuotes: false,
};

export const routeOf: Record<Intent["kind"], string> = {
  upsert: "POST /contacts",
  get: "GET /contacts/:externalId",
  patch: "PATCH /contacts/:externalId",
  delete: "DELETE /contacts/:identifier",
  track: "POST /events",
};

export const validAttempt: Arbitrary<Attempt> = fc.tuple(anyIntent, anyStyle).map((both) => attemptOf(...both));

export function attemptOf(intent: Intent, style: Style): Attempt {
  return { route: routeOf[intent.kind], call: toCall(intent, style), intent, refusal: null };
}

export function toCall(intent: Intent, style: Style): DoorCall {
  switch (intent.kind) {
    case "upsert":
      return withBody({ method: "POST", path: pathOf("/contacts", style) }, intent.input, style);
    case "get":
      return { method: intent.method, path: pathOf(`/contacts/${style.encode(intent.identifier)}`, style) };
    case "patch": {
      const path = pathOf(`/contacts/${style.encode(intent.identifier)}`, style);
      return withBody({ method: "PATCH", path }, intent.input, style);
    }
    case "delete":
      return { method: "DELETE", path: pathOf(`/contacts/${style.encode(intent.identifier)}`, style) };
    case "track": {
      const call = withBody({ method: "POST", path: pathOf("/events", style) }, intent.input, style);
      const { idempotencyKey } = intent;
      if (idempotencyKey === null) return call;
      return withHeader(call, "idempotency-key", style.inQuotes ? `"${idempotencyKey}"` : idempotencyKey);
    }
  }
}

export function pathOf(path: string, { isStripped, query }: Style): string {
  return (isStripped ? "" : "/api/v1") + path + query;
}

export function withHeader(call: DoorCall, name: string, value: string): DoorCall {
  return { ...call, headers: { ...call.headers, [name]: value } };
}

export function withBody(call: DoorCall, body: unknown, { escape, byteOrderMark, mediaType }: Style): DoorCall {
  return withHeader({ ...call, body: byteOrderMark + toJson(body, escape) }, "content-type", mediaType);
}
