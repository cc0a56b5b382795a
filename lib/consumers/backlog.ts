import { acceptedOf } from "../changes/read.ts";
import { parseKey } from "../input/structs.ts";
import type { Backlog } from "../model/consumer-types.ts";
import type { Scope } from "../scope.ts";

/** Counts the changes of a subscription that wait for its consumers. `null` if it never had one. */
export async function readBacklog({ storage, workspace }: Scope, keyInput: unknown): Promise<Backlog | null> {
  const key = parseKey(keyInput);
  const answer = await storage.readBacklog(workspace, key);
  if (answer === null) return null;
  const { changes, more, oldestAgeMs, parked } = acceptedOf(key, answer);
  return { changes, more, oldestAgeSeconds: oldestAgeMs / 1_000, parked };
}
