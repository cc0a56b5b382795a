// What somebody with a database writes. Type-checked and run, as far as it goes without one, where mysql2 is installed too.
import assert from "node:assert/strict";
import { createPool, type ResultSetHeader } from "mysql2/promise";
import { createTracker, TrackerError, type Tracker } from "whodid";
import { mysqlStorage } from "whodid/mysql";

// The discard port of this machine, where nothing listens.
const pool = createPool({ host: "127.0.0.1", port: 9 });
const tracker = createTracker({ storage: mysqlStorage(pool, { tablePrefix: "app_" }) });
// The connection has the type of mysql2/promise.
const refusedTransaction: unknown = await tracker
  .transaction(async (tx, connection) => {
    const [{ affectedRows }] = await connection.execute<ResultSetHeader>("DELETE FROM carts");
    await tx.events.track({ externalId: "ada@example.com", eventKey: "checked_out", properties: { affectedRows } });
  })
  .catch((error: unknown) => error);
assert.ok(refusedTransaction instanceof TrackerError);
const plain: Tracker = tracker;
const refused: unknown = await plain.contacts.get("ada@example.com").catch((error: unknown) => error);
assert.ok(refused instanceof TrackerError);
assert.equal(refused.code, "storage_unavailable");
await tracker.close();
await pool.end();
console.log("whodid, whodid/mysql");
