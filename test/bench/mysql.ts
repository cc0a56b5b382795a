import { startMysql } from "../cluster/mysql.ts";
import { startDatabase, type Database } from "../support/database.ts";
import { full } from "./mysql-full.ts";
import { held } from "./mysql-held.ts";
import { throughput } from "./mysql-throughput.ts";

// What the tests relax, as servers have it by default: each COMMIT on the disk, and a redo log of the usual size.
const serverArguments = [
  "--innodb-buffer-pool-size=1G",
  "--innodb-flush-log-at-trx-commit=1",
  "--innodb-use-native-aio=ON",
  "--loose-innodb-log-file-size=96M",
  "--loose-innodb-redo-log-capacity=100M",
];

/** `folder` holds peer.mjs, bare.mjs and events.lua. */
type Part = (database: Database, folder: string, ...args: string[]) => Promise<void>;

const parts: Record<string, Part> = { throughput, held, full };

/**
 * The server on MySQL under load: `npm run bench -- mysql FOLDER [PART [ARGUMENT]]`, all parts one after another without PART.
 * Each has a throwaway database server of its own, MariaDB unless `SERVER=mysql`, whose data folder lies in the system's folder for temporary files (TMPDIR).
 */
export async function run(folder = "", name?: string, ...args: string[]): Promise<void> {
  const chosen = name === undefined ? Object.keys(parts) : [name];
  for (const part of chosen) {
    const measure = parts[part];
    if (!measure) throw new Error(`Which part? ${Object.keys(parts).join(" | ")}`);
    const isMysql = process.env["SERVER"] === "mysql";
    const database = await (isMysql
      ? startMysql([...serverArguments, "--skip-log-bin"])
      : startDatabase({ serverArguments }));
    if ("unavailable" in database) return;
    console.log(`\n${[part, ...args].join(" ")}`);
    try {
      await measure(database, folder, ...args);
    } finally {
      await database.stop();
    }
  }
}
