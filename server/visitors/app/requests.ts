import type { ChecklistProgress } from "../../../lib/model/types.ts";
import { ownHeader } from "../agreed.ts";

/** The event on `window` after a write of this page: what is shown may have changed. */
export const writeEvent = "whodid-write";

/** The path of the mounted routes, without a slash at its end. */
export function srcOf(given: string | null): string {
  return (given ?? "").replace(/\/+$/, "");
}

/** A request that takes longer has failed. */
const answeredWithinMs = 30_000;

const tags = new Map<string, string>();

/** The tag of the visitor in the last answer; `undefined` before the first. */
export function visitorAt(src: string): string | undefined {
  return tags.get(src);
}

/** Sends a request, and notes the tag of the visitor in its answer. */
export async function ask(src: string, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(src + path, { ...init, signal: AbortSignal.timeout(answeredWithinMs) });
  const tag = response.headers.get(ownHeader);
  if (tag) tags.set(src, tag);
  return response;
}

/** Whether the view can show this JSON. A proxy of the host may answer anything. */
export function isProgress(given: unknown): given is ChecklistProgress {
  const { checklistKey, progress, items, dismissedAt } = Object(given) as Partial<ChecklistProgress>;
  return (
    typeof checklistKey === "string" &&
    isNumber(progress?.completed) &&
    isNumber(progress?.total) &&
    (dismissedAt === null || typeof dismissedAt === "string") &&
    Array.isArray(items) &&
    items.every((item) => typeof (item as Partial<typeof item> | null)?.itemKey === "string")
  );
}

function isNumber(given: unknown): boolean {
  return typeof given === "number";
}
