import assert from "node:assert/strict";
import { runCommand } from "../support/server-process.ts";

const starts = 8;
const processes = 3;

/**
 * Brings an empty schema up to date by three processes at once, eight times, and asserts that each of them succeeds. `createUrls`
 * makes a schema and resolves with the addresses that it is reached by: the processes take turns with them.
 */
export async function migrateAtOnce(createUrls: () => Promise<string[]>): Promise<void> {
  const failed: string[] = [];
  for (let start = 0; start < starts; start++) {
    const urls = await createUrls();
    const migrate = (_: unknown, index: number): ReturnType<typeof runCommand> =>
      runCommand(["migrate"], { DATABASE_URL: urls[index % urls.length]! });
    const ended = await Promise.all(Array.from({ length: processes }, migrate));
    const refused = ended.filter(({ exitCode }) => exitCode !== 0);
    if (refused.length > 0) failed.push(refused.map(({ stderr }) => stderr.trim()).join("; "));
  }
  assert.deepEqual(failed, [], `${failed.length} of ${starts} starts failed`);
}
