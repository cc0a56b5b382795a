/** What the fields of a contact may hold, beside identifiers and attributes. */
import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { issuesOf, stoppedTracker, untyped } from "../support/stopped-tracker.ts";
import { suite } from "../support/suite.ts";

suite("contact fields", (test) => {
  for (const [whose, signedUpAt] of Object.entries({
    "this realm": new Date("2026-01-01T00:00:00.123Z"),
    "another realm": untyped(runInNewContext(`new Date("2026-01-01T00:00:00.123Z")`)),
  })) {
    test(`signedUpAt takes a Date of ${whose}`, async () => {
      const { tracker } = stoppedTracker();
      const { contact } = await tracker.contacts.upsert({ email: "ada@example.com", signedUpAt });
      assert.equal(contact.signedUpAt, "2026-01-01T00:00:00.123Z");
    });
  }

  const noTimes = {
    "an invalid Date": [new Date(NaN), "invalid_format"],
    "a Date beyond the year 9999": [new Date("+010000-01-01T00:00:00Z"), "out_of_range"],
    "no day of the calendar": ["2026-02-30T00:00:00Z", "invalid_format"],
    "a time without a zone": ["2026-02-01T00:00:00", "invalid_format"],
    "a time in the year 0": ["0000-06-01T00:00:00Z", "out_of_range"],
    "a number": [1_769_850_000_000, "wrong_type"],
    "what only looks like a Date": [Object.create(Date.prototype) as object, "wrong_type"],
  } as const;
  for (const [what, [signedUpAt, code]] of Object.entries(noTimes)) {
    test(`${what} is refused as signedUpAt`, async () => {
      const { tracker } = stoppedTracker();
      const input = { email: "ada@example.com", signedUpAt: untyped(signedUpAt) };
      assert.deepEqual(await issuesOf(tracker.contacts.upsert(input)), [`signedUpAt ${code}`]);
    });
  }

  for (const avatarUrl of [
    "http://localhost",
    "https://example.com/a.png?x=1#y",
    "HTTPS://EXAMPLE.com",
    "http://[::1]/é",
  ]) {
    test(`an avatarUrl is kept as sent: ${avatarUrl}`, async () => {
      const { tracker } = stoppedTracker();
      assert.equal((await tracker.contacts.upsert({ email: "a@b", avatarUrl })).contact.avatarUrl, avatarUrl);
    });
  }

  for (const avatarUrl of [
    "",
    "/a.png",
    "//a.b/c",
    "a.b/c",
    "ftp://a.b",
    "javascript:alert(1)",
    "http:a.b",
    "http://",
    "http://[::1",
    "https://:80",
    "https://a b",
    " http://a.b",
    "http://a.b\n",
    "http://a.b/\ud800",
  ]) {
    test(`no absolute http(s) URL: ${JSON.stringify(avatarUrl)}`, async () => {
      const { tracker } = stoppedTracker();
      assert.deepEqual(await issuesOf(tracker.contacts.upsert({ email: "a@b", avatarUrl })), [
        "avatarUrl invalid_format",
      ]);
    });
  }
});
