import { firstIdAt } from "../../../lib/model/ids.ts";
import { isPrunable, type Evidence, type Finding } from "./evidence.ts";
import { refusals, type Call, type Step } from "./calls.ts";
import { isTransaction, toldCommit, type LoggedCall } from "./history.ts";

/** A transaction's own row is there exactly if it was committed. */
export function checkOwnRows({ calls, rows }: Evidence): Finding[] {
  return calls.filter(isTransaction).flatMap((logged) => {
    const told = toldCommit(logged);
    if (told === null || told === rows.own.has(logged.id)) return [];
    const text = told ? "the row of a committed transaction is missing" : "a transaction that failed has left its row";
    return [{ text, callIds: [logged.id] }];
  });
}

const unavailable = "storage_unavailable";
/** The definitions are gone too. */
const inDeleted = ["workspace_deleted", "invalid_input", "definition_not_found"];
const inTransaction = [unavailable, "transaction_lost", "transaction_required"];

/** Calls fail only with what the method's documentation says. */
export function checkErrors({ calls }: Evidence): Finding[] {
  return calls.flatMap((logged) => {
    const { id, call, answers, result } = logged;
    const ofSteps = [...answers].flatMap(([index, answer]) => {
      if (!("no" in answer) || isExpected(answer.no, call.steps[index]!, isTransaction(logged))) return [];
      if (call.workspace !== undefined && inDeleted.includes(answer.no)) return [];
      return [{ text: `step ${index} of ${call.do} failed with ${answer.no}`, callIds: [id] }];
    });
    const isWrong = result !== null && "no" in result && !isExpectedOfCall(result.no, call);
    const ofCall = isWrong ? [{ text: `${call.do} failed with ${result.no}`, callIds: [id] }] : [];
    return [...ofSteps, ...ofCall];
  });
}

const ofStep: Record<Step["do"], readonly string[]> = {
  upsert: ["external_id_taken"],
  put: ["email_taken"],
  update: ["contact_not_found", "email_taken", "external_id_taken"],
  delete: ["contact_not_found", "ambiguous_identifier"],
  get: [],
  track: ["contact_not_found"],
};

function isExpected(code: string, step: Step, isInside: boolean): boolean {
  if (code === unavailable || (isInside && inTransaction.includes(code)) || ofStep[step.do].includes(code)) return true;
  if (step.do === "put") return code === "invalid_input" && step.fields.email === undefined;
  if (step.do !== "track") return false;
  // An event of the past is refused once events from before a later time were pruned.
  return code === "invalid_input" ? step.createdAt !== undefined : hasReused(code, step);
}

function hasReused(code: string, step: Step & { do: "track" }): boolean {
  return code === "idempotency_key_reused" && step.idempotencyKey !== undefined;
}

function isExpectedOfCall(code: string, { do: kind, workspace }: Call): boolean {
  if (inDeleted.includes(code) && workspace !== undefined) return true;
  // The function rejects with what its own statements and its calls are refused with.
  if (kind === "transaction") return code !== "internal" && code !== "invalid_input";
  if (kind === "within") return ["given_up", "rolled_back", "commit_unknown"].includes(code);
  return code === unavailable || (kind === "other" && refusals.includes(code) && code !== "workspace_deleted");
}

const hourMs = 3_600_000;

/** What was to be pruned is gone, and an API key is there exactly if it was created and not revoked. */
export function checkOthers(evidence: Evidence): Finding[] {
  const { calls, rows, prunedBefore } = evidence;
  // What was recorded in the last hour is not pruned. Its ids are of now if the process has made ids of now before.
  const isOld = ({ id }: { id: string }): boolean => id < firstIdAt(Date.now() - hourMs);
  const left = rows.events.filter(
    (event) => isOld(event) && isPrunable(evidence, event) && event.createdAt < prunedBefore,
  );
  const findings = left.map(({ id }) => ({ text: `event ${id} should have been pruned`, callIds: [] }));
  return [...findings, ...calls.flatMap((logged) => checkApiKey(rows.apiKeys, logged))];
}

function checkApiKey(stored: ReadonlySet<string>, { id, call, answers, result }: LoggedCall): Finding[] {
  const created = answers.get(0);
  if (call.do !== "apiKey" || !created || !("ok" in created)) return [];
  const isStored = stored.has(created.ok.deleted!);
  const isRevoked = call.givesUp === true && result !== null && "ok" in result;
  if (isRevoked && isStored) return [{ text: "an API key that was revoked is there", callIds: [id] }];
  if (!call.givesUp && !isStored) return [{ text: "an API key is missing", callIds: [id] }];
  return [];
}
