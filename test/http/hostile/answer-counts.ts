import assert from "node:assert/strict";

/** Counts answers by route, status and code. */
export interface AnswerCounts {
  add(route: string, status: number, code: string): void;
  print(): void;
  /** How many answers had all that is given. */
  count(of: { route?: string; code?: string; isSuccess?: boolean }): number;
  assertAtLeast(least: number, of: { route?: string; code?: string; isSuccess?: boolean }): void;
}

export function createAnswerCounts(): AnswerCounts {
  const counts = new Map<string, { route: string; status: number; code: string; count: number }>();

  function count({ route, code, isSuccess }: { route?: string; code?: string; isSuccess?: boolean }): number {
    return [...counts.values()]
      .filter((row) => route === undefined || row.route === route)
      .filter((row) => code === undefined || row.code === code)
      .filter((row) => isSuccess === undefined || row.status < 300 === isSuccess)
      .reduce((sum, row) => sum + row.count, 0);
  }

  return {
    add(route, status, code) {
      const name = `${route} ${status} ${code}`;
      const row = counts.get(name) ?? { route, status, code, count: 0 };
      row.count++;
      counts.set(name, row);
    },
    print() {
      for (const [name, row] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
        console.log(`${String(row.count).padStart(6)}  ${name}`);
      }
    },
    count,
    assertAtLeast(least, of) {
      const counted = count(of);
      assert.ok(counted >= least, `${JSON.stringify(of)}: ${counted}, which is less than ${least}`);
    },
  };
}
