import assert from "node:assert/strict";
import type { Stage } from "./harms.ts";
import { runRound } from "./round.ts";
import type { Verdict } from "./checks.ts";

/** What `history` is followed by: minutes, `changes=NUMBER`, `mysql`, `seed=NUMBER`, in any order. */
export interface HistoryOptions {
  minutes: number;
  /** The rounds go on until the log had so many. */
  changes: number;
  isMysql: boolean;
  seed: number;
}

/** Reads the arguments behind `history`. Throws for any other. */
export function readOptions(args: readonly string[], minutes: number): HistoryOptions {
  const options = { minutes, changes: 0, isMysql: false, seed: Date.now() % 1_000_000 };
  for (const arg of args) {
    if (arg === "mysql") options.isMysql = true;
    else if (/^seed=\d+$/.test(arg)) options.seed = Number(arg.slice(5));
    else if (/^changes=\d+$/.test(arg)) options.changes = Number(arg.slice(8));
    else if (Number(arg) > 0) options.minutes = Number(arg);
    else throw new Error(`history [MINUTES] [changes=NUMBER] [mysql] [seed=NUMBER], not ${arg}`);
  }
  return options;
}

/** A round is so long at most: each begins with empty tables, and its log is held in memory. */
const roundMinutesMax = 2;
/** Starting, ending all calls and comparing take about so long. */
const overheadSeconds = 20;

/**
 * Calls every method at random while clients, connections and the database are killed and frozen, then compares what was
 * answered with the rows. Several rounds, each on a stage of its own, if it takes longer than two minutes. Throws the findings.
 * `script` is the one of package.json that repeats it.
 */
export async function checkHistory(
  script: string,
  { minutes, changes, isMysql, seed }: HistoryOptions,
  createStage: () => Promise<Stage>,
): Promise<Record<string, number>> {
  const rounds = Math.ceil(minutes / roundMinutesMax);
  const seconds = Math.max(10, (minutes / rounds) * 60 - overheadSeconds);
  const sums: Record<string, number> = {};
  for (let round = 0; round < rounds || (sums["changes"] ?? 0) < changes; round++) {
    const words = [Math.min(minutes, roundMinutesMax), ...(isMysql ? ["mysql"] : []), `seed=${seed + round}`];
    const command = `npm run ${script} history ${words.join(" ")}`;
    console.log(`history, to be repeated by: ${command}`);
    const verdict = await runRound(await createStage(), String(seed + round), seconds);
    for (const [name, count] of Object.entries(verdict.counts)) sums[name] = (sums[name] ?? 0) + count;
    assert.equal(verdict.findings.length, 0, describe(verdict, command));
  }
  return sums;
}

const findingsShown = 10;
const findingsOfCheckShown = 3;
const lineMaxCharacters = 500;

/** The findings with the lines of their calls. */
function describe({ findings, lines, counts, folder }: Verdict, command: string): string {
  const isFew = ({ check }: Verdict["findings"][0], index: number): boolean =>
    findings.slice(0, index).filter((other) => other.check === check).length < findingsOfCheckShown;
  const shown = findings
    .filter(isFew)
    .slice(0, findingsShown)
    .map(({ text, callIds }) => {
      const wanted = new Set(callIds.slice(0, 6));
      const ofCalls = lines.filter(({ id }) => wanted.has(id)).sort((a, b) => a.at - b.at);
      return [text, ...ofCalls.map((line) => `    ${JSON.stringify(line).slice(0, lineMaxCharacters)}`)].join("\n");
    });
  const all = `${findings.length} findings in ${counts["calls"]} calls; ${command}; logs in ${folder}`;
  return `${all}\n\n${shown.join("\n\n")}\n`;
}
