/** A process of its own that takes requests of a rate limit as it is told, over a storage at the URL in its first argument, and answers what each was answered. */
import { mysqlStorage } from "../../adapters/mysql/index.ts";
import type { RateWindow } from "../../lib/storage/rows.ts";

/** `calls` at once, in each of `rounds`. */
export interface Consumption {
  apiKeyId: string;
  limit: number;
  window: RateWindow;
  calls: number;
  rounds: number;
}

const storage = mysqlStorage(process.argv[2]!);

process.on("message", (message: Consumption) => void consume(message).then((answers) => process.send?.(answers)));
process.on("disconnect", () => process.exit(0));

async function consume({ apiKeyId, limit, window, calls, rounds }: Consumption): Promise<number[]> {
  const answers: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const taken = Array.from({ length: calls }, () => storage.consume(apiKeyId, limit, window, 1));
    answers.push(...(await Promise.all(taken)).map(({ takenBefore }) => takenBefore));
  }
  return answers;
}
