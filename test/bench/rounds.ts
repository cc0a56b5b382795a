/** What one measurement gave, by unit. */
export type Figures = Record<string, number>;

/**
 * Runs each candidate once a round, in alternating order, and prints for each unit the medians with their spread, and the
 * median of each round's share of the first candidate's.
 */
export async function compareInRounds(
  rounds: number,
  candidates: Record<string, () => Promise<Figures>>,
): Promise<void> {
  const entries = Object.entries(candidates);
  const measured = new Map<string, Figures[]>(entries.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of round % 2 === 0 ? entries : entries.toReversed()) {
      measured.get(name)!.push(await measure());
    }
  }
  const units = new Set([...measured.values()].flat().flatMap((figures) => Object.keys(figures)));
  for (const unit of units) printUnit(unit, measured);
}

function printUnit(unit: string, measured: Map<string, Figures[]>): void {
  let first: readonly number[] | undefined;
  for (const [name, figures] of measured) {
    const values = figures.flatMap((one) => one[unit] ?? []);
    if (values.length === 0) continue;
    const firsts = (first ??= values);
    const share = firsts.every((value) => value > 0)
      ? median(values.map((value, round) => value / firsts[round]!)).toFixed(2)
      : "";
    const medianWithSpread = `${format(median(values))} ${unit} (${format(Math.min(...values))} to ${format(Math.max(...values))})`;
    console.log(`${name.padEnd(28)} ${medianWithSpread.padEnd(48)} ${share}`);
  }
}

/** The milliseconds that the work takes. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  return (await timeOf(work)) / 1_000;
}

/** The milliseconds of the work, that many times one after another. */
export async function timesOf(count: number, work: (n: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) times.push(await timeOf(() => work(n)));
  return times;
}

/** The median of the milliseconds and their spread, in words. */
export function spread(times: number[]): string {
  const ms = (value: number): string => (value < 10 ? value.toFixed(1) : format(value));
  return `${ms(median(times))} ms (${ms(Math.min(...times))} to ${ms(Math.max(...times))})`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Whole from 100 on, with two digits behind the point below. */
export function format(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 });
}
