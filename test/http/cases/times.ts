import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, contactOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** `signedUpAt`, and the avatarUrl beside it: the fields with a format. */
export function timeCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  test(
    "signedUpAt is answered in UTC, to the millisecond",
    visit(async ({ post, get }) => {
      const signedUpAt = "2026-01-31T09:00:00.1239+01:00";
      const answered = "2026-01-31T08:00:00.123Z";
      assert.equal(contactOf(await post("/contacts", { email: "a@b", signedUpAt })).signedUpAt, answered);
      assert.equal(contactOf(await get("/contacts/a@b")).signedUpAt, answered);
    }),
  );

  for (const [sent, code] of [
    ["2026-01-31T09:00:00", "invalid_format"],
    ["0000-12-31T23:59:59Z", "out_of_range"],
    [1_769_850_000_000, "wrong_type"],
  ] as const) {
    test(
      `signedUpAt ${JSON.stringify(sent)} is refused`,
      visit(async ({ post }) =>
        assertInvalid(await post("/contacts", { email: "a@b", signedUpAt: sent }), [`signedUpAt: ${code}`]),
      ),
    );
  }

  for (const avatarUrl of [
    "https://example.com/ada.png?size=2#x",
    "http://localhost:3000",
    "HTTPS://EXAMPLE.com/ü",
    "http://[::1]/",
  ]) {
    test(
      `avatarUrl ${avatarUrl} is kept as it is`,
      visit(async ({ post }) =>
        assert.equal(contactOf(await post("/contacts", { email: "a@b", avatarUrl })).avatarUrl, avatarUrl),
      ),
    );
  }

  for (const avatarUrl of [
    "",
    "/ada.png",
    "//example.com/ada.png",
    "example.com/ada.png",
    "ftp://example.com/ada.png",
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "https:",
    "https://",
    "https:example.com",
    "https://exa mple.com",
    " https://example.com",
    "https://example.com\n",
    "https://example.com:99999",
    "https://:80",
    "http://[::1",
    "http://a.b/\ud800",
  ]) {
    test(
      `avatarUrl ${JSON.stringify(avatarUrl)} is refused`,
      visit(async ({ post }) =>
        assertInvalid(await post("/contacts", { email: "a@b", avatarUrl }), ["avatarUrl: invalid_format"]),
      ),
    );
  }
}
