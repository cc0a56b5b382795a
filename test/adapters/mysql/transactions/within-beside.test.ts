/** The caller's own statements beside a call that it does not await. */
import assert from "node:assert/strict";
import type { PoolConnection } from "mysql2/promise";
import { callsBeside, ends, prepareBeside, tryEveryMoment, type Transact } from "../../../support/beside.ts";
import { database, databaseSuite, mysqlBy, type OpenedMysql } from "../../../support/mysql.ts";

const server = await database();
const onMysql = mysqlBy(server);

/** Transactions that the caller begins and ends on a connection; `given` is what it passes to `within`. */
function transactOn({ pool }: OpenedMysql, given: (connection: PoolConnection) => object): Transact {
  return async (run) => {
    const connection = await pool.getConnection();
    try {
      await connection.beginTransaction();
      await run({ executor: given(connection), run: (text) => connection.query(text) });
      await connection.commit();
    } catch (error) {
      await connection.rollback();
      throw error;
    } finally {
      connection.release();
    }
  };
}

databaseSuite({ name: "a call whose transaction is ended beside it", atOnce: 4 }, server, (test) => {
  for (const name of Object.keys(callsBeside)) {
    for (const end of ends) {
      test(`of ${name} leaves all or nothing, whenever the caller says ${end}`, () =>
        onMysql(async (opened) => {
          const transact = transactOn(opened, (connection) => connection);
          assert.ok((await tryEveryMoment(await prepareBeside(opened), transact, name, end)) >= 4);
        }));
    }
  }

  const kinds: Record<string, (connection: PoolConnection) => object> = {
    "a connection without promises": ({ connection }) => connection,
    "a proxy of a connection": (connection) => new Proxy(connection, {}),
  };
  for (const [kind, given] of Object.entries(kinds)) {
    test(`on ${kind} leaves all or nothing, whenever the caller says ROLLBACK`, () =>
      onMysql(async (opened) => {
        await tryEveryMoment(await prepareBeside(opened), transactOn(opened, given), "track", "ROLLBACK");
      }));
  }
});
