/**
 * A process of its own that makes one call of a storage at the URL in its first argument, or with `pool` on a pool for it. Then come
 * the name of the method, and its arguments as JSON.
 */
import { createPool } from "mysql2/promise";
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import type { Storage } from "../../lib/storage/port.ts";

const [url, kind, method, given] = process.argv.slice(2) as [string, string, keyof Storage, string];
process.on("disconnect", () => process.exit(0));
const call = mysqlStorage(kind === "pool" ? createPool(url) : url)[method] as (...args: unknown[]) => Promise<unknown>;
await call(...(JSON.parse(given) as unknown[]));
process.exit(0);
