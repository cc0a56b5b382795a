import { memoryStorage } from "../../adapters/memory/index.ts";
import type { Storage, TrackerOptions } from "../../lib/index.ts";
import { clientOf, type Client } from "./client.ts";
import { openInProcess } from "./door.ts";

type Options = Partial<Omit<TrackerOptions, "storage">>;
export type FaultyClient = Omit<Client, "setClock"> & { reported: unknown[] };

/** A client of a tracker on a memory storage with some methods replaced; `reported` is what `onError` was told. */
export async function openFaulty(replaced: Partial<Storage>, options: Options = {}): Promise<FaultyClient> {
  const reported: unknown[] = [];
  const makeStorage = (): Storage => ({ ...memoryStorage(), ...replaced });
  const door = await openInProcess(makeStorage)({ onError: (error) => reported.push(error), ...options });
  const { key } = await door.tracker.apiKeys.create({ name: "test" });
  return { ...clientOf(door, key), reported };
}

/** An error such as a driver throws, which no client may see. */
export const secret: Error = new Error("SELECT secret FROM hosts WHERE value = 'mArKeR4711'");

export function rejecting(error: unknown): () => Promise<never> {
  return () => Promise.reject(error);
}
