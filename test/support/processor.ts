import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second, on every machine. */
const ticksPerSecond = 100;

/**
 * The processor seconds of a process, by default this one, and of those that it started, and they in turn, also of the ended ones.
 * Where there is no `/proc`, of this process alone.
 */
export function processorSeconds(root: number = process.pid): number {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const name of processes()) {
    const [parent, ...counts] = fieldsOf(name);
    parents.set(Number(name), parent!);
    ticks.set(
      Number(name),
      counts.reduce((sum, count) => sum + count, 0),
    );
  }
  if (ticks.size === 0) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  const isOurs = (id: number | undefined): boolean => id === root || (!!id && isOurs(parents.get(id)));
  return [...ticks].reduce((sum, [id, count]) => sum + (isOurs(id) ? count : 0), 0) / ticksPerSecond;
}

function processes(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** The parent, and the times in the program and in the system, its own and those of its ended children. */
function fieldsOf(id: string): number[] {
  try {
    const text = readFileSync(`/proc/${id}/stat`, "utf8");
    // The name before may hold spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return [1, 11, 12, 13, 14].map((index) => Number(fields[index]));
  } catch {
    // It has ended meanwhile.
    return [0];
  }
}
