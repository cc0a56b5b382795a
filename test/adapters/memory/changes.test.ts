import assert from "node:assert/strict";
import { createLog } from "../../../adapters/memory/changes/index.ts";
import type { SubscriptionRow } from "../../../lib/storage/rows.ts";
import { suite } from "../../support/suite.ts";
import { rowsUpTo } from "../../../adapters/storage-contract/drafts.ts";

const body = { on: { contacts: true }, keepDays: 7 } as const;
const row: SubscriptionRow = { workspace: "acme", kind: "subscription", key: "all", id: "1", createdAt: 0, body };

suite("the log of changes in memory", (test) => {
  test("a full log removes its oldest changes, and refuses a reader before them", () => {
    const log = createLog(
      () => [row],
      () => null,
      { end: 0 },
    );
    log.begin(row.id);
    const first = log.list(row, null, rowsUpTo(1));
    for (let n = 0; n <= 100_000; n++) {
      log.append({ kind: "contact_deleted", id: String(n), at: 0, contact: { id: String(n), externalId: null } });
    }
    assert.ok("position" in first);
    assert.deepEqual(log.list(row, first.position, rowsUpTo(1)), { refused: { code: "changes_expired" } });
    const kept = log.list(row, null, rowsUpTo(200_000));
    assert.ok("rows" in kept);
    assert.deepEqual([kept.rows.length, kept.rows[0]?.id], [99_001, "1000"]);
  });
});
