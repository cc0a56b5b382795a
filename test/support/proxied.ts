import { mysqlStorage, type MysqlStorage, type MysqlStorageOptions } from "../../adapters/mysql/index.ts";
import { createTracker, type Tracker } from "../../lib/index.ts";
import type { Database } from "./database.ts";
import { mysqlBy, type OpenedMysql } from "./mysql.ts";
import { startProxy, type Proxy } from "./proxy.ts";

/** `storage` and `pool` go to the database directly, `through` and `tracker` by the proxy. */
export interface Proxied extends OpenedMysql {
  proxy: Proxy;
  through: MysqlStorage;
  tracker: Tracker;
}

/** Makes what runs a test on a schema, a proxy and a tracker of its own. The test runs only where there is a server. */
export function proxiedBy(
  server: Database | null,
): (run: (proxied: Proxied) => Promise<void>, options?: MysqlStorageOptions) => Promise<void> {
  const onMysql = mysqlBy(server);
  return (run, options) =>
    onMysql(async (opened) => {
      const proxy = await startProxy(opened.url);
      const through = mysqlStorage(proxy.url, options);
      const tracker = createTracker({ storage: through, rateLimit: false });
      try {
        await run({ ...opened, proxy, through, tracker });
      } finally {
        proxy.thaw();
        await tracker.close();
        await proxy.close();
      }
    });
}

/** How many rows a table has. */
export async function countRows({ pool }: OpenedMysql, table: string): Promise<number> {
  const [rows] = await pool.query(`SELECT COUNT(*) AS n FROM whodid_${table}`);
  return (rows as { n: number }[])[0]!.n;
}
