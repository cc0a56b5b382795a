import { memoryStorage } from "../adapters/memory.ts";
import type { Storage } from "../lib/storage.ts";
import { Refusal, type Settings } from "./settings.ts";

export async function openStorage({ databaseUrl }: Settings): Promise<Storage> {
  if (databaseUrl !== null) throw new Refusal("DATABASE_URL: this version of whodid has no MySQL adapter yet.");
  return memoryStorage();
}
