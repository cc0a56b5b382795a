import assert from "node:assert/strict";
import { refusalOfRevocation } from "../../../lib/decisions/api-keys.ts";
import { newId } from "../../../lib/model/ids.ts";
import type { ApiKeyRow } from "../../../lib/storage/rows.ts";
import { suite } from "../../support/suite.ts";

function keyWith(parts: Partial<ApiKeyRow>): ApiKeyRow {
  const limits = { access: "admin", requestsPerMinute: null, expiresAt: null } as const;
  const id = newId(0);
  const shown = { name: "backend", prefix: "sk_abcdefghi", createdAt: 0, lastUsedAt: null };
  return { workspace: "acme", id, hash: id, ...shown, ...limits, ...parts };
}

suite("api key decisions", (test) => {
  test("a revocation is refused if no other admin key is valid now", () => {
    const last = keyWith({});
    for (const [other, refused] of [
      [keyWith({}), false],
      [keyWith({ expiresAt: 11 }), true],
      [keyWith({ expiresAt: 10 }), true],
      [keyWith({ access: "write" }), true],
    ] as const) {
      assert.equal(refusalOfRevocation([last, other], last.id, 10) !== null, refused);
      assert.equal(refusalOfRevocation([last, other], other.id, 10), null);
    }
    const [soon, late] = [keyWith({ expiresAt: 11 }), keyWith({ expiresAt: 12 })];
    assert.equal(refusalOfRevocation([soon, late], late.id, 10), null);
    assert.notEqual(refusalOfRevocation([late], late.id, 10), null);
    assert.deepEqual(refusalOfRevocation([last], last.id, 10), { refused: { code: "last_admin_key" } });
  });
});
