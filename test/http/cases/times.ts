import assert from "node:assert/strict";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, contactOf } from "../answers.ts";
import { visitsTo } from "../client.ts";
import type { OpenDoor } from "../door.ts";

/** `signedUpAt`, and the avatarUrl beside it: the fields with a format. */
export function timeCases(test: Test, open: OpenDoor): void {
  const visit = visitsTo(open);

  for (const [sent, answered] of [
    ["2026-01-31T09:00:00Z", "2026-01-31T09:00:00.000Z"],
    ["2026-01-31T09:00:00+01:00", "2026-01-31T08:00:00.000Z"],
    ["2026-01-31T00:30:00+05:30", "2026-01-30T19:00:00.000Z"],
    ["2026-01-31T09:00:00.1Z", "2026-01-31T09:00:00.100Z"],
    ["2026-01-31T09:00:00.999999Z", "2026-01-31T09:00:00.999Z"],
    ["1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999Z"],
    ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["0099-06-01T00:00:00Z", "0099-06-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ] as const) {
    test(
      `signedUpAt ${sent} is answered ${answered}`,
      visit(async ({ post, get }) => {
        assert.equal(contactOf(await post("/contacts", { email: "a@b", signedUpAt: sent })).signedUpAt, answered);
        assert.equal(contactOf(await get("/contacts/a@b")).signedUpAt, answered);
      }),
    );
  }

  for (const [sent, code] of [
    ["2026-01-31", "invalid_format"],
    ["2026-01-31T09:00:00", "invalid_format"],
    ["2026-01-31 09:00:00Z", "invalid_format"],
    ["2026-02-30T09:00:00Z", "invalid_format"],
    ["2025-02-29T09:00:00Z", "invalid_format"],
    ["2026-13-01T09:00:00Z", "invalid_format"],
    ["2026-00-10T09:00:00Z", "invalid_format"],
    ["2026-01-31T24:00:00Z", "invalid_format"],
    ["2026-01-31T09:60:00Z", "invalid_format"],
    ["2026-01-31T09:00:00+24:00", "invalid_format"],
    [" 2026-01-31T09:00:00Z", "invalid_format"],
    ["2026-01-31T09:00:00Z\n", "invalid_format"],
    ["Sat, 31 Jan 2026 09:00:00 GMT", "invalid_format"],
    ["٢٠٢٦-01-31T09:00:00Z", "invalid_format"],
    ["", "invalid_format"],
    ["0000-12-31T23:59:59Z", "out_of_range"],
    ["0001-01-01T00:00:00+01:00", "out_of_range"],
    ["9999-12-31T23:59:59-01:00", "out_of_range"],
    ["+010000-01-01T00:00:00Z", "invalid_format"],
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
