import { refusals, type Call, type Step, type StepAnswer } from "./calls.ts";
import type { LogLine } from "./log.ts";

/** A call as its log tells it. */
export interface LoggedCall {
  id: string;
  call: Call;
  begin: number;
  /** `Infinity` if it was never answered: it may take effect at any time. */
  end: number;
  /** By the step. */
  answers: Map<number, { at: number; ok: StepAnswer } | { at: number; no: string }>;
  result: { ok: unknown } | { no: string } | null;
}

/** A step, and what is known of its effect, which lies between its begin and its end. */
export interface Performed {
  callId: string;
  index: number;
  kind: Call["do"];
  step: Step;
  begin: number;
  /** `Infinity` if the outcome is unknown. */
  end: number;
  outcome: "done" | "refused" | "unknown";
  /** `null` unless it was done, and of an import. */
  answer: StepAnswer | null;
  /** Whether it was written with `notify: false`. */
  isQuiet: boolean;
  /** When the answer came, which in a transaction is before its end. */
  answeredAt: number;
}

export function toCalls(lines: readonly LogLine[]): LoggedCall[] {
  const calls = new Map<string, LoggedCall>();
  for (const line of lines) {
    const { id, at } = line;
    if ("read" in line) continue;
    if ("call" in line) {
      calls.set(id, { id, call: line.call, begin: at, end: Infinity, answers: new Map(), result: null });
      continue;
    }
    const logged = calls.get(id)!;
    if ("step" in line) logged.answers.set(line.step, "ok" in line ? { at, ok: line.ok } : { at, no: line.no });
    else Object.assign(logged, { end: at, result: "ok" in line ? { ok: line.ok } : { no: line.no } });
  }
  return [...calls.values()];
}

export function toPerformed(calls: readonly LoggedCall[], ownRows: ReadonlySet<string>): Performed[] {
  return calls.flatMap((logged) => {
    const inTransaction = isTransaction(logged);
    const isCommitted = inTransaction && wasCommitted(logged, ownRows);
    // A COMMIT that was not answered may take effect later.
    const end = inTransaction && toldCommit(logged) === null ? Infinity : logged.end;
    return logged.call.steps.map((step, index): Performed => {
      const { id: callId, begin, answers } = logged;
      const line = answers.get(index);
      const answer = line && "ok" in line ? line.ok : null;
      const isQuiet = logged.call.do === "import" || logged.call.isQuiet === true;
      const answeredAt = line?.at ?? Infinity;
      const base = { callId, index, kind: logged.call.do, step, begin, answer, isQuiet, answeredAt };
      if (inTransaction) {
        const isDone = isCommitted && answer !== null;
        return { ...base, end, outcome: isDone ? "done" : "refused" };
      }
      const codes = logged.call.do === "import" ? codesOfImport(logged, index) : [codeOfLine(line)];
      const isKnown = codes.every((code) => code === "" || refusals.includes(code));
      const unlessDone = isKnown ? "refused" : "unknown";
      return {
        ...base,
        outcome: codes.includes("") ? "done" : unlessDone,
        // A run of an import that was not answered may write later than the one that was.
        end: isKnown ? (line?.at ?? end) : Infinity,
      };
    });
  });
}

export function isTransaction({ call }: LoggedCall): boolean {
  return call.do === "transaction" || call.do === "within";
}

/** What the answer says; `null` if it does not say whether the transaction was committed. */
export function toldCommit({ result }: LoggedCall): boolean | null {
  if (result === null) return null;
  if ("ok" in result) return true;
  return result.no === "storage_unavailable" || result.no === "commit_unknown" ? null : false;
}

/** The application's own row tells the outcome that no answer has told. */
function wasCommitted(logged: LoggedCall, ownRows: ReadonlySet<string>): boolean {
  return toldCommit(logged) ?? ownRows.has(logged.call.own!.id);
}

/** The code of a refusal or a fault; empty for none. */
function codeOfLine(line: { ok: StepAnswer } | { no: string } | undefined): string {
  if (!line) return "unanswered";
  return "ok" in line ? "" : line.no;
}

/** The code of each run. */
function codesOfImport({ result }: LoggedCall, index: number): string[] {
  if (!result || !("ok" in result)) return ["unanswered"];
  return (result.ok as string[][]).map((run) => run[index]!);
}

/** Whether the effect of the first is before that of the second: by time, or because one call has both in this order. */
export function precedes(first: Performed, second: Performed): boolean {
  if (first.callId !== second.callId) return first.end < second.begin;
  if (first.kind === "transaction" || first.kind === "within") return first.index < second.index;
  // Calls that are under way at once keep their order if they name the contact alike.
  // A first event waits for the upsert of its contact.
  if (first.step.do === "track" && first.step.isFirst) return false;
  return first.index < second.index && first.step.do === second.step.do && first.step.name === second.step.name;
}

/** The contact that the step was answered about; `null` if no answer says it. */
export function contactIdOf({ answer }: Performed): string | null {
  return answer?.contact?.id ?? answer?.event?.contactId ?? answer?.deleted ?? null;
}
