import { workspaces } from "./calls.ts";
import { checkErrors, checkOthers, checkOwnRows } from "./check-calls.ts";
import { checkOrderOfChanges, checkReaders } from "./check-change-order.ts";
import { checkChanges, checkChangesOfEvents, checkChangesOfFields } from "./check-changes.ts";
import { checkContacts, checkDeletions } from "./check-contacts.ts";
import { checkEvents, checkOrderOfEvents, checkPlaces, checkSummaries } from "./check-events.ts";
import { checkFields } from "./check-fields.ts";
import { checkLeft, checkWorkspaces } from "./check-workspaces.ts";
import { gather, type Finding } from "./evidence.ts";
import { toCalls } from "./history.ts";
import type { LogLine } from "./log.ts";
import type { Rows } from "./rows.ts";

/** What a round has shown. */
export interface Verdict {
  findings: (Finding & { check: string })[];
  lines: LogLine[];
  /** How often each harm was done, and each kind of step had each outcome. */
  counts: Record<string, number>;
  /** Where the logs are, if there are findings. */
  folder: string;
}

const checks = [checkErrors, checkOwnRows, checkEvents, checkSummaries, checkContacts, checkDeletions, checkFields];

/** Of workspaces whose definitions, and with them the log, are deleted now and then. */
const checksOfDeleted = [...checks, checkWorkspaces];

const checksOfDefault = [
  ...checks,
  checkLeft,
  checkPlaces,
  checkOrderOfEvents,
  checkOthers,
  checkChanges,
  checkChangesOfEvents,
  checkChangesOfFields,
  checkOrderOfChanges,
  checkReaders,
];

/** Compares the rows with the lines, and adds to the verdict. */
export function findFaults(verdict: Verdict, rows: Rows, isCluster: boolean, clockOffset: number): void {
  const calls = toCalls(verdict.lines);
  const reads = verdict.lines.flatMap((line) => ("read" in line ? line.read : []));
  const changes = new Set([...rows.changes, ...reads].map(({ id }) => id));
  const counts: Record<string, number> = { calls: calls.length, changes: changes.size };
  const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
  for (const workspace of ["default", ...workspaces]) {
    const isDefault = workspace === "default";
    const evidence = gather(workspace, calls, verdict.lines, rows, isCluster, clockOffset);
    for (const check of isDefault ? checksOfDefault : checksOfDeleted)
      verdict.findings.push(...check(evidence).map((one) => ({ ...one, check: check.name })));
    for (const { kind, step, outcome } of evidence.performed)
      count(isDefault ? `${kind === "one" ? "" : `${kind} `}${step.do} ${outcome}` : `in workspaces ${outcome}`);
    for (const { isAnswered, refusedFrom, refusedUntil } of evidence.workspaceDeletions) {
      count(`workspace ${isAnswered ? "deleted" : "deletion interrupted"}`);
      if (refusedFrom < refusedUntil) count("workspace deleted by one call");
    }
  }
  for (const line of verdict.lines) if ("no" in line && line.no === "workspace_deleted") count(line.no);
  Object.assign(verdict.counts, counts);
}
