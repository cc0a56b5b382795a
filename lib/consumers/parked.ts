/** Lists the contacts that are parked behind a change that failed, and lets them go on. */
import { acceptedOf, showChanges } from "../changes/read.ts";
import { pageOf, pageRequestStruct, sliceOf } from "../input/pages.ts";
import { parse } from "../input/shapes.ts";
import { parkedChangeStruct, parseKey, resumeOptionsStruct } from "../input/structs.ts";
import type { ParkedContact } from "../model/consumer-types.ts";
import { TrackerError } from "../model/errors.ts";
import { firstIdAt, isId } from "../model/ids.ts";
import { formatTime, parseTime } from "../model/times.ts";
import type { Page } from "../model/types.ts";
import type { Scope } from "../scope.ts";
import type { Refused } from "../storage/rows.ts";

export async function listParked(scope: Scope, keyInput: unknown, request: unknown = {}): Promise<Page<ParkedContact>> {
  const key = parseKey(keyInput);
  const slice = sliceOf(parse(request, pageRequestStruct));
  const parked = acceptedOf(key, await scope.storage.listParked(scope.workspace, key, slice));
  const kept = parked.rows.flatMap(({ change }) => change ?? []);
  const shown = new Map((await showChanges(scope, kept)).map((change) => [change.id, change]));
  return pageOf(parked, ({ id, contactId, error, failures, createdAt }) => ({
    contactId,
    changeId: id,
    change: shown.get(id) ?? null,
    error,
    tries: failures,
    parkedAt: formatTime(createdAt),
  }));
}

/** Retries or drops the change that a contact is parked at. */
export async function releaseParked(
  { storage, workspace }: Scope,
  keyInput: unknown,
  changeInput: unknown,
  how: "retry" | "drop",
): Promise<void> {
  const { key, changeId } = parse({ key: keyInput, changeId: changeInput }, parkedChangeStruct);
  // A text that is not an id is replaced by the lowest id, which no change has. The storage refuses an undefined subscription first.
  const id = isId(changeId) ? changeId : firstIdAt(0);
  const refused = await storage.releaseParked(workspace, key, id, how);
  if (refused?.refused.code === "changes_expired") {
    throw new TrackerError("changes_expired", { message: "The change is no longer kept. Drop it to go on." });
  }
  assertAccepted(key, refused);
}

/** Lets consumers go on after their changes expired, or again from a time. */
export async function resume({ storage, workspace }: Scope, keyInput: unknown, options: unknown): Promise<void> {
  const key = parseKey(keyInput);
  const { from } = parse(options, resumeOptionsStruct);
  // The struct accepts only times that `parseTime` can read.
  const place = from === "oldest" || from === "now" ? from : (parseTime(from) as number);
  assertAccepted(key, await storage.resumeChanges(workspace, key, place));
}

function assertAccepted(key: string, refused: Refused | null): void {
  acceptedOf(key, refused ?? {});
}
