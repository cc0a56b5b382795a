import type { Evidence, Finding } from "./evidence.ts";
import { isTransaction, type LoggedCall } from "./history.ts";
import { isGone, mayBeGone, mayBeRefused, mustBeRefused } from "./workspace-deletions.ts";

/** The marks of deleted workspaces have refused what they should, and nothing else; API keys are there unless they were deleted. */
export function checkWorkspaces(evidence: Evidence): Finding[] {
  const { calls } = evidence;
  return [
    ...calls.flatMap((logged) => findAccepted(evidence, logged)),
    ...calls.flatMap((logged) => findRefused(evidence, logged)),
    ...calls.flatMap((logged) => findKey(evidence, logged)),
    ...findSurvivors(evidence),
  ];
}

/** In a transaction an event may be accepted, whose contact the deletion then waits for. */
function findAccepted({ workspaceDeletions }: Evidence, logged: LoggedCall): Finding[] {
  const { id, call, begin, answers } = logged;
  if (isTransaction(logged)) return [];
  return [...answers].flatMap(([index, answer]) => {
    const isWrong = "ok" in answer ? !answer.ok.event?.replayed : answer.no === "contact_not_found";
    if (!isWrong || call.steps[index]?.do === "get" || !mustBeRefused(workspaceDeletions, begin, answer.at)) return [];
    return [{ text: `step ${index} of ${call.do} was not refused by a marked workspace`, callIds: [id] }];
  });
}

function findRefused({ workspaceDeletions }: Evidence, { id, begin, end, answers, result }: LoggedCall): Finding[] {
  const isRefused = [...answers.values(), result].some(
    (line) => line && "no" in line && line.no === "workspace_deleted",
  );
  if (!isRefused || mayBeRefused(workspaceDeletions, begin, end)) return [];
  return [{ text: "a workspace that was not marked has refused a write", callIds: [id] }];
}

function findKey({ workspaceDeletions, rows }: Evidence, { id, call, begin, answers }: LoggedCall): Finding[] {
  const created = answers.get(0);
  if (call.do !== "apiKey" || !created || !("ok" in created)) return [];
  const isThere = rows.apiKeys.has(created.ok.deleted!);
  if (isThere && isGone(workspaceDeletions, created.at))
    return [{ text: "an API key of a deleted workspace is there", callIds: [id] }];
  const isMissing = !isThere && !call.givesUp && !mayBeGone(workspaceDeletions, begin);
  return isMissing ? [{ text: "an API key of a workspace is missing", callIds: [id] }] : [];
}

/** No call that began after a deletion has met a contact from before it. */
function findSurvivors({ byContact, workspaceDeletions }: Evidence): Finding[] {
  return [...byContact].flatMap(([id, met]) =>
    workspaceDeletions.flatMap(({ goneBefore, end }) => {
      const before = met.find(({ answeredAt }) => answeredAt < goneBefore);
      const after = met.find(({ begin }) => begin > end);
      if (!before || !after) return [];
      return [{ text: `contact ${id} has survived a deletion`, callIds: [before.callId, after.callId] }];
    }),
  );
}

/** Nothing is left of the workspaces that were deleted last, and no row belongs to something that is not there. */
export function checkLeft({ rows: { left }, emptied }: Evidence): Finding[] {
  const ofEmptied = emptied.flatMap((workspace) => {
    return (left.tables.get(workspace) ?? []).map((table) => `${table} has rows of the deleted workspace ${workspace}`);
  });
  return [...ofEmptied, ...left.orphans.slice(0, 10)].map((text) => ({ text, callIds: [] }));
}
