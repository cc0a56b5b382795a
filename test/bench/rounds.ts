/** What one measurement gave, by unit. */
export type Figures = Record<string, number>;

/**
 * Runs each candidate once a round, in alternating order, and prints for each unit the medians with their spread, and each as a
 * share of the first candidate's.
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
  let first: number | undefined;
  for (const [name, figures] of measured) {
    const values = figures.flatMap((one) => one[unit] ?? []);
    if (values.length === 0) continue;
    first ??= median(values);
    const share = first === 0 ? "" : (median(values) / first).toFixed(2);
    const spread = `${format(median(values))} ${unit} (${format(Math.min(...values))} to ${format(Math.max(...values))})`;
    console.log(`${name.padEnd(28)} ${spread.padEnd(48)} ${share}`);
  }
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
