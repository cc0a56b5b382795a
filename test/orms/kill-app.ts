/** An app that the kill test kills: it writes an order and its event in one transaction after another, without end. */
import mysql from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import { createTracker } from "../../lib/index.ts";
import { installedOrm } from "./installs.ts";

const [url, name, first] = process.argv.slice(2) as [string, string, string];
const tracker = createTracker({ storage: mysqlStorage(url) });

async function place(id: number, run: (sql: string) => Promise<unknown>, transaction: object): Promise<void> {
  await run(`INSERT INTO orders VALUES (${id})`);
  process.send?.("inserted");
  await tracker.within(transaction).events.track({
    externalId: "ada@example.com",
    eventKey: "purchase_completed",
    properties: { order: id },
  });
}

if (name === "mysql2") {
  const connection = await mysql.createConnection(url);
  for (let id = Number(first); ; id++) {
    await connection.beginTransaction();
    await place(id, (sql) => connection.query(sql), connection);
    await connection.commit();
  }
}
const opened = await (await installedOrm(name)).open(url);
for (let id = Number(first); ; id++) {
  await opened.transaction(({ run, executor }) => place(id, run, executor));
}
