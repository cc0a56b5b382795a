import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { query } from "../support/queries.ts";
import { within } from "../support/within.ts";
import type { Stage } from "./under-load.ts";

/** Takes the room that is left on the database's disk, lets it refuse for a while, and gives it back. */
export async function fillDisk({ url, load }: Stage): Promise<void> {
  const ballast = join(await diskOf(url), "ballast");
  const megabyte = Buffer.alloc(1_024 * 1_024);
  // The last write takes what there is and then fails.
  for (let isFull = false; !isFull;) {
    isFull = await writeFile(ballast, megabyte, { flag: "a" }).then(
      () => false,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOSPC") throw error;
        return true;
      },
    );
  }
  const refusing = async (): Promise<void> => {
    const { refused } = await load.counts();
    while ((await load.counts()).refused < refused + 100) await sleep(50);
  };
  await within(60_000, "requests being refused", refusing());
  await rm(ballast);
}

async function diskOf(url: string): Promise<string> {
  const [row] = await query(url, "SELECT @@datadir AS folder");
  return dirname(row!["folder"] as string);
}
