import { rowLocked, type Runner, type Work } from "./work.ts";

/** Reads by a copy of the input, which the caller can change meanwhile. */
export function readOne<Input, Result>(
  runner: Runner,
  input: Input,
  read: (work: Work, input: Input) => Promise<Result>,
  timeoutMs?: number,
): Promise<Result> {
  const copy = structuredClone(input);
  return runner.read((work) => read(work, copy), timeoutMs);
}

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
