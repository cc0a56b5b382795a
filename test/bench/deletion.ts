import { deleteAmongWrites, deletionServer } from "../support/deletion.ts";
import { openMysql } from "../support/mysql.ts";
import { onDatabase } from "./databases.ts";
import { median } from "./rounds.ts";

const rounds = 5;

/** How long writes of other contacts wait at most while one with 100,000 events is deleted. */
export async function run(): Promise<void> {
  const longest: number[] = [];
  await onDatabase(deletionServer, async (server) => {
    for (let round = 0; round < rounds; round++) {
      const opened = await openMysql(server);
      const { seconds, writes, longestWaitMs } = await deleteAmongWrites(opened, 100_000);
      await opened.dispose();
      longest.push(longestWaitMs);
      console.log(
        `deleted in ${seconds.toFixed(1)} s, ${writes} writes meanwhile, ${longestWaitMs.toFixed(0)} ms at most`,
      );
    }
    console.log(`median of the longest waits: ${median(longest).toFixed(0)} ms`);
  });
}
