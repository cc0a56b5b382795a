/** A process of its own that runs one pass, over a storage at the URL in its first argument, or with `pool` on a pool for it. */
import { createPool } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";

const [url, kind] = process.argv.slice(2) as [string, string];
process.on("disconnect", () => process.exit(0));
await mysqlStorage(kind === "pool" ? createPool(url) : url).logChanges();
