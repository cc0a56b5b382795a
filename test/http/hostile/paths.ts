import fc, { type Arbitrary } from "fast-check";
import { anyIntent, type Intent } from "./intents.ts";
import { refused } from "./mutations.ts";
import { pathOf, routeOf, anyStyle, toCall, type Attempt, type Style } from "./requests.ts";

type WithIdentifier = Extract<Intent, { identifier: string }>;

const intentWithIdentifier = anyIntent.filter((intent): intent is WithIdentifier => "identifier" in intent);

/** The valid request with another segment where its identifier stood. */
function withSegment(intent: WithIdentifier, style: Style, segment: string): Attempt["call"] {
  return { ...toCall(intent, style), path: pathOf(`/contacts/${segment}`, style) };
}

const invalidPath = fc
  .tuple(intentWithIdentifier, anyStyle, fc.constantFrom("%", "u_1%", "%zz", "%ff", "%C3", "%C3%28", "%ED%A0%80", "%2"))
  .map(([intent, style, segment]) =>
    refused(routeOf[intent.kind], withSegment(intent, style, segment), 400, "invalid_path"),
  );

const noIdentifier = fc
  .tuple(
    intentWithIdentifier,
    anyStyle,
    fc.constantFrom<[string, string]>(
      ["%20", "too_short"],
      ["%C2%A0", "too_short"],
      ["u_1%0A", "invalid_format"],
      ["a%00b", "invalid_format"],
      ["%C3%A9".repeat(128), "too_long"],
    ),
  )
  .map(([intent, style, [segment, code]]) => {
    const field = intent.kind === "delete" ? "identifier" : "externalId";
    return refused(routeOf[intent.kind], withSegment(intent, style, segment), 400, "invalid_input", [
      `${field}: ${code}`,
    ]);
  });

const noRoute = fc
  .tuple(
    fc.constantFrom("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"),
    fc.constantFrom("/nowhere", "/", "/Contacts/u_1", "/contacts/a/b", "/events/x", "//contacts", "/api/v1/contacts"),
    fc.constantFrom("", "?a=b"),
  )
  .map(([method, path, query]) => refused("none", { method, path: `/api/v1${path}${query}` }, 404, "route_not_found"));

const noMethod = fc
  .tuple(
    fc.constantFrom(
      ["GET", "/audiences/preview"],
      ["HEAD", "/audiences/preview"],
      ["DELETE", "/contacts"],
      ["POST", "/contacts/u_1"],
      ["OPTIONS", "/events"],
    ),
    anyStyle,
  )
  .map(([[method, path], style]) =>
    refused("none", { method: method!, path: pathOf(path!, style) }, 405, "method_not_allowed"),
  );

/** Requests that go nowhere. */
export const refusedPath: Arbitrary<Attempt> = fc.oneof(invalidPath, noIdentifier, noRoute, noMethod);
