import assert from "node:assert/strict";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { generateSecret, signed, type Content } from "../../../lib/webhooks/message.ts";
import type { SecretRow } from "../../../lib/storage/webhooks.ts";
import { suite } from "../../support/suite.ts";

const [older, newer, other] = [generateSecret(), generateSecret(), generateSecret()];
const row = (secret: string): SecretRow => ({ id: "", secret, createdAt: 0, endsAt: null });

/** What a receiver does: it verifies the bytes that came. */
function verify(secret: string, body: string, headers: Readonly<Record<string, string>>): unknown {
  return new Webhook(secret).verify(body, headers);
}

suite("messages of webhooks", (test) => {
  test("the standard's library verifies 1,000 messages by each of two secrets, and refuses what was changed", () => {
    const contents = fc.record({ id: fc.uuid(), text: fc.string({ unit: "binary", maxLength: 200 }) });
    fc.assert(
      fc.property(contents, ({ id, text }) => {
        const content: Content = { id, body: JSON.stringify({ type: "event.recorded", data: { text } }) };
        const { headers, body } = signed(content, [row(newer), row(older)], Date.now());
        for (const secret of [older, newer]) assert.deepEqual(verify(secret, body, headers), JSON.parse(body));
        assert.throws(() => verify(other, body, headers));
        assert.throws(() => verify(newer, body.replace("event", "Event"), headers));
        assert.throws(() => verify(newer, body, { ...headers, "webhook-id": `${id}0` }));
        const old = signed(content, [row(newer)], Date.now() - 6 * 60_000);
        assert.throws(() => verify(newer, old.body, old.headers));
      }),
      { numRuns: 1_000 },
    );
  });

  test("a secret has the standard's form, and 32 random bytes", () => {
    assert.match(older, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(older, newer);
  });
});
