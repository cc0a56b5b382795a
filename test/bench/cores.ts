import { existsSync, readFileSync } from "node:fs";
import type { Figures } from "./rounds.ts";

// In which Linux tells processor time, on every machine.
const ticksPerSecond = 100;

/**
 * Starts to watch; what it returns tells how many cores each group of processes has kept busy since, the load (this process and
 * the children that have ended), and everything else on the machine. Nothing where there is no /proc.
 */
export function watchCores(groups: Record<string, number[]>): () => Figures {
  if (!existsSync("/proc/stat")) return () => ({});
  const read = (): Record<string, number> => {
    const named: Record<string, number> = {};
    for (const [name, pids] of Object.entries(groups)) named[name] = sum(pids.map(ticksOf));
    named["the load"] = ticksOf("self") + ticksOfEndedChildren();
    return { ...named, "all else": busyTicks() - sum(Object.values(named)) };
  };
  const before = read();
  const begun = performance.now();
  return () => {
    const possible = ((performance.now() - begun) / 1_000) * ticksPerSecond;
    return Object.fromEntries(
      Object.entries(read()).map(([name, ticks]) => [`cores of ${name}`, (ticks - before[name]!) / possible]),
    );
  };
}

/** utime and stime: proc(5). */
function ticksOf(pid: number | "self"): number {
  const fields = fieldsOf(pid);
  return fields[11]! + fields[12]!;
}

/** cutime and cstime. */
function ticksOfEndedChildren(): number {
  const fields = fieldsOf("self");
  return fields[13]! + fields[14]!;
}

/** From the third on: the second, the name in brackets, may hold blanks. */
function fieldsOf(pid: number | "self"): number[] {
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ").map(Number);
}

function busyTicks(): number {
  const [line] = /^cpu +.*/.exec(readFileSync("/proc/stat", "utf8"))!;
  const [user, nice, system, , , interrupts, softInterrupts] = line.split(/ +/).slice(1).map(Number);
  return user! + nice! + system! + interrupts! + softInterrupts!;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
