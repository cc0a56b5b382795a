import type { CompletionByHand } from "../../lib/checklists/index.ts";
import type { DismissedChecklist } from "../../lib/checklists/dismissals.ts";
import type { Scope } from "../../lib/scope.ts";
import type { CompletionDraft, DismissalDraft } from "../../lib/storage/rows.ts";
import { parseTime } from "../../lib/model/times.ts";
import { keyMaxBytes } from "../../lib/model/limits.ts";
import type { Reason } from "./refused-rows.ts";

/** The number of simultaneous writes. A pool has as many connections by default. */
const writesAtOnce = 10;

/** A contact's completions by hand and dismissed checklists, in the form of an export. */
export interface GivenLists {
  completions: unknown;
  dismissals: unknown;
}

/** Writes the completions by hand and the dismissals of contacts. */
export interface ChecklistWrites {
  /** The first problem of a contact's lists. */
  problemOf(given: GivenLists): Reason | null;
  /** Stores the lists of a contact that is written. Resolves when the next call may begin. */
  write(contact: Record<string, unknown>, given: GivenLists, refuse: (reason: Reason) => Promise<void>): Promise<void>;
  settled(): Promise<void>;
}

export async function createChecklistWrites(scope: Scope, isDryRun: boolean): Promise<ChecklistWrites> {
  const { storage, workspace } = scope;
  const checklists = await storage.listDefinitions(workspace, "checklist", { maxAgeMs: 0 });
  const ids = new Map(checklists.map(({ key, id }) => [key, id]));
  const running = new Set<Promise<void>>();

  function completionOf({ checklistKey, itemKey, completedAt }: CompletionByHand, externalId: string): CompletionDraft {
    const at = completedAt === null ? null : (parseTime(completedAt) as number);
    // `problemOf` has checked that the checklist exists.
    return { workspace, externalId, checklistId: ids.get(checklistKey)!, itemKey, completedAt: at, notify: false };
  }

  function dismissalOf({ checklistKey, dismissedAt }: DismissedChecklist, externalId: string): DismissalDraft {
    const at = parseTime(dismissedAt) as number;
    // `problemOf` has checked that the checklist exists.
    return { workspace, externalId, checklistId: ids.get(checklistKey)!, dismissedAt: at };
  }

  async function store(externalId: string, { completions, dismissals }: GivenLists): Promise<void> {
    for (const completion of (completions ?? []) as CompletionByHand[]) {
      await storage.insertCompletion(completionOf(completion, externalId));
    }
    for (const dismissal of (dismissals ?? []) as DismissedChecklist[]) {
      await storage.putDismissal(dismissalOf(dismissal, externalId));
    }
  }

  function problemIn(
    field: keyof GivenLists,
    given: unknown,
    isItem: (value: unknown) => value is { checklistKey: string },
  ): Reason | null {
    if (given === undefined) return null;
    if (!Array.isArray(given) || !given.every(isItem)) return invalid(field, "wrong_type");
    return given.every(({ checklistKey }) => ids.has(checklistKey)) ? null : invalid(field, "checklist_not_defined");
  }

  return {
    problemOf({ completions, dismissals }) {
      return problemIn("completions", completions, isCompletion) ?? problemIn("dismissals", dismissals, isDismissal);
    },
    async write({ email, externalId }, given, refuse) {
      if ((given.completions === undefined && given.dismissals === undefined) || isDryRun) return;
      const identifier = (externalId ?? email) as string;
      const writing: Promise<void> = store(identifier, given)
        .catch(() => refuse({ code: "storage_unavailable", message: "Completions or dismissals were not stored." }))
        .finally(() => running.delete(writing));
      running.add(writing);
      if (running.size >= writesAtOnce) await Promise.race(running);
    },
    async settled() {
      await Promise.all(running);
    },
  };
}

function isCompletion(value: unknown): value is CompletionByHand {
  const { checklistKey, itemKey, completedAt } = Object(value) as Partial<CompletionByHand>;
  const isItem = typeof itemKey === "string" && itemKey !== "" && Buffer.byteLength(itemKey) <= keyMaxBytes;
  return typeof checklistKey === "string" && isItem && (completedAt === null || isTime(completedAt));
}

function isDismissal(value: unknown): value is DismissedChecklist {
  const { checklistKey, dismissedAt } = Object(value) as Partial<DismissedChecklist>;
  return typeof checklistKey === "string" && isTime(dismissedAt);
}

function isTime(value: unknown): boolean {
  return typeof value === "string" && typeof parseTime(value) === "number";
}

function invalid(field: keyof GivenLists, code: "wrong_type" | "checklist_not_defined"): Reason {
  const message = code === "wrong_type" ? `Must be ${field} as an export has them.` : "There is no such checklist.";
  return { code: "invalid_input", message: `${field}: ${message}`, issues: [{ path: field, code, message }] };
}
