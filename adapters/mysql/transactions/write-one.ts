import { rowLocked, type Runner, type Work } from "./work.ts";

/** Writes a copy of one item in one transaction. Retries while the result is `rowLocked`. */
export async function writeOne<Item, Result, Intent>(
  runner: Runner,
  item: Item,
  once: (work: Work<Intent>, item: Item) => Promise<Result | typeof rowLocked>,
): Promise<Result> {
  return runner.writeInSteps(structuredClone(item), async (work: Work<Intent>, copy) => {
    const result = await once(work, copy);
    return result === rowLocked ? rowLocked : { result };
  });
}
