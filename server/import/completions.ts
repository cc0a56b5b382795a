import type { Scope } from "../../lib/scope.ts";
import type { CompletionDraft } from "../../lib/storage/rows.ts";
import { parseTime } from "../../lib/model/times.ts";
import { keyMaxBytes } from "../../lib/model/limits.ts";
import type { Reason } from "./refused-rows.ts";

/** The number of simultaneous writes. A pool has as many connections by default. */
const writesAtOnce = 10;

/** The checklist items that contacts completed by hand, as an export has them. */
export interface CompletionWrites {
  /** The problems of a contact's completions. */
  problemOf(given: unknown): Reason | null;
  /** Stores the completions of a contact that is written. Resolves when there is room for the next. Throws what `refuse` threw. */
  write(contact: Record<string, unknown>, given: unknown, refuse: (reason: Reason) => Promise<void>): Promise<void>;
  settled(): Promise<void>;
}

interface Given {
  checklistKey: string;
  itemKey: string;
  completedAt: string | null;
}

export async function createCompletionWrites(scope: Scope, isDryRun: boolean): Promise<CompletionWrites> {
  const { storage, workspace } = scope;
  const checklists = await storage.listDefinitions(workspace, "checklist", { maxAgeMs: 0 });
  const ids = new Map(checklists.map(({ key, id }) => [key, id]));
  const running = new Set<Promise<void>>();
  let failure: unknown;

  function draftOf({ checklistKey, itemKey, completedAt }: Given, externalId: string): CompletionDraft {
    const at = completedAt === null ? null : (parseTime(completedAt) as number);
    // `problemOf` has found nothing.
    return { workspace, externalId, checklistId: ids.get(checklistKey)!, itemKey, completedAt: at, notify: false };
  }

  async function store(externalId: string, completions: readonly Given[]): Promise<void> {
    for (const completion of completions) await storage.insertCompletion(draftOf(completion, externalId));
  }

  return {
    problemOf(given) {
      if (given === undefined) return null;
      if (!Array.isArray(given) || !given.every(isCompletion)) return invalid("wrong_type");
      return given.every(({ checklistKey }) => ids.has(checklistKey)) ? null : invalid("checklist_not_defined");
    },
    async write({ email, externalId }, given, refuse) {
      if (given === undefined || isDryRun) return;
      const identifier = (externalId ?? email) as string;
      const writing: Promise<void> = store(identifier, given as Given[])
        .catch(() => refuse({ code: "storage_unavailable", message: "The completions were not stored." }))
        .catch((error: unknown) => void (failure ??= error))
        .finally(() => running.delete(writing));
      running.add(writing);
      if (running.size >= writesAtOnce) await Promise.race(running);
      if (failure !== undefined) throw failure;
    },
    async settled() {
      await Promise.all(running);
      if (failure !== undefined) throw failure;
    },
  };
}

function isCompletion(value: unknown): value is Given {
  const { checklistKey, itemKey, completedAt } = Object(value) as Partial<Given>;
  const isItem = typeof itemKey === "string" && itemKey !== "" && Buffer.byteLength(itemKey) <= keyMaxBytes;
  const isTime =
    completedAt === null || (typeof completedAt === "string" && typeof parseTime(completedAt) === "number");
  return typeof checklistKey === "string" && isItem && isTime;
}

function invalid(code: "wrong_type" | "checklist_not_defined"): Reason {
  const message = code === "wrong_type" ? "Must be completions as an export has them." : "There is no such checklist.";
  return {
    code: "invalid_input",
    message: `completions: ${message}`,
    issues: [{ path: "completions", code, message }],
  };
}
