import type { Test } from "../../support/suite.ts";
import { assertInvalid } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** One issue per problem, so that a caller mends all of them at once. */
export function issueCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  test(
    "every problem of a contact is listed at once",
    visit(async ({ post, tracker }) => {
      await tracker.attributes.define({ key: "seats", type: "number" });
      await tracker.attributes.define({ key: "vip", type: "boolean" });
      const body = {
        externalId: " ",
        name: 1,
        phone: true,
        avatarUrl: "/ada.png",
        role: ["admin"],
        plan: {},
        signedUpAt: "yesterday",
        nickname: null,
        customAttributes: { seats: "1", vip: [], unheard: 1 },
      };
      assertInvalid(await post("/contacts", body), [
        "email: required",
        "externalId: too_short",
        "name: wrong_type",
        "phone: wrong_type",
        "avatarUrl: invalid_format",
        "role: wrong_type",
        "plan: wrong_type",
        "signedUpAt: invalid_format",
        "nickname: unknown_field",
        "customAttributes.seats: attribute_wrong_type",
        "customAttributes.vip: wrong_type",
        "customAttributes.unheard: attribute_not_defined",
      ]);
    }),
  );

  test(
    "every problem of a patch is listed at once",
    visit(async ({ patch }) => {
      const body = { email: null, externalId: 7, createdAt: "2026-11-20T10:00:00Z", customAttributes: null };
      assertInvalid(await patch("/contacts/u_1", body), [
        "email: not_allowed_null",
        "externalId: wrong_type",
        "createdAt: unknown_field",
        "customAttributes: not_allowed_null",
      ]);
    }),
  );

  test(
    "every problem of an event is listed at once",
    visit(async ({ post }) => {
      const properties = { list: [1], none: null, nested: { a: 1 }, fine: 1, "": "\ud800" };
      assertInvalid(await post("/events", { externalId: "", eventKey: 5, properties, at: "now" }), [
        "externalId: too_short",
        "eventKey: wrong_type",
        "at: unknown_field",
        "properties.list: wrong_type",
        "properties.none: not_allowed_null",
        "properties.nested: wrong_type",
        "properties.: invalid_format",
      ]);
    }),
  );

  for (const [properties, code] of [
    [null, "not_allowed_null"],
    [[], "wrong_type"],
    ["x", "wrong_type"],
    [1, "wrong_type"],
  ] as const) {
    test(
      `properties cannot be ${JSON.stringify(properties)}`,
      visit(async ({ post }) => {
        const answer = await post("/events", { externalId: "u_1", eventKey: "x", properties });
        assertInvalid(answer, [`properties: ${code}`]);
      }),
    );
  }

  test(
    "a field whose name looks like a path does not hide the problem at that path",
    visit(async ({ post }) => {
      const body = { email: "ada@example.com", "customAttributes.seats": 1, customAttributes: { seats: 1 } };
      assertInvalid(await post("/contacts", body), [
        "customAttributes.seats: unknown_field",
        "customAttributes.seats: attribute_not_defined",
      ]);
    }),
  );

  test(
    "of a hostile number of problems the first hundred are listed",
    visit(async ({ post }) => {
      const fields = Array.from({ length: 2_000 }, (_, n) => `x${n}`);
      const body = { email: "ada@example.com", ...Object.fromEntries(fields.map((field) => [field, 1])) };
      const answer = await post("/contacts", body);
      assertInvalid(
        answer,
        fields.slice(0, 100).map((field) => `${field}: unknown_field`),
      );
    }),
  );
}
