/** Runs each candidate once a round, in alternating order, and prints medians with their spread, and each as a share of the first. */
export async function compareInRounds(
  unit: string,
  rounds: number,
  candidates: Record<string, () => Promise<number>>,
): Promise<void> {
  const entries = Object.entries(candidates);
  const measured = new Map<string, number[]>(entries.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of round % 2 === 0 ? entries : entries.toReversed()) {
      measured.get(name)!.push(await measure());
    }
  }
  const [first] = [...measured.values()].map(median);
  for (const [name, values] of measured) {
    const share = (median(values) / first!).toFixed(2);
    const figures = `${format(median(values))} ${unit} (${format(Math.min(...values))} to ${format(Math.max(...values))})`;
    console.log(`${name.padEnd(28)} ${figures.padEnd(48)} ${share}`);
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function format(value: number): string {
  return Math.round(value).toLocaleString("en");
}
