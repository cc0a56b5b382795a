import { checkErrors, checkOthers, checkOwnRows } from "./check-calls.ts";
import { checkOrderOfChanges, checkReaders } from "./check-change-order.ts";
import { checkChanges, checkChangesOfEvents, checkChangesOfFields } from "./check-changes.ts";
import { checkContacts, checkDeletions } from "./check-contacts.ts";
import { checkEvents, checkOrderOfEvents, checkPlaces, checkSummaries } from "./check-events.ts";
import { checkFields } from "./check-fields.ts";
import { gather, type Finding } from "./evidence.ts";
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

const checks = [
  checkErrors,
  checkOwnRows,
  checkEvents,
  checkSummaries,
  checkPlaces,
  checkOrderOfEvents,
  checkContacts,
  checkDeletions,
  checkFields,
  checkOthers,
  checkChanges,
  checkChangesOfEvents,
  checkChangesOfFields,
  checkOrderOfChanges,
  checkReaders,
];

/** Compares the rows with the lines, and adds to the verdict. */
export function findFaults(verdict: Verdict, rows: Rows, isCluster: boolean, clockOffset: number): void {
  const evidence = gather(verdict.lines, rows, isCluster, clockOffset);
  for (const check of checks) verdict.findings.push(...check(evidence).map((one) => ({ ...one, check: check.name })));
  const changes = new Set([...rows.changes, ...[...evidence.reads.values()].flat()].map(({ id }) => id));
  const counts: Record<string, number> = { calls: evidence.calls.length, changes: changes.size };
  for (const { kind, step, outcome } of evidence.performed) {
    const name = `${kind === "one" ? "" : `${kind} `}${step.do} ${outcome}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  Object.assign(verdict.counts, counts);
}
