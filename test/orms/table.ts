import type { Database } from "../support/database.ts";
import { query } from "../support/queries.ts";
import type { Test } from "../support/suite.ts";
import { versionOf } from "./installs.ts";
import type { Orm } from "./orm.ts";

/** The columns of the table. What is in none of them counts as the contract's. */
export const columns = [
  "contract",
  "commit",
  "nested",
  "deadlock",
  "ended beside",
  "wrong object",
  "renaming",
] as const;

export type Column = (typeof columns)[number];

/** Defines a test of one column. */
export type Record = (column: Column, name: string, run: () => Promise<void>) => void;

/** How many tests of a cell passed, by `orm, server, column`. */
const cells = new Map<string, { passed: number; all: number }>();
const servers = new Map<string, string>();

export async function noteServer(name: string, { url }: Database): Promise<void> {
  const [row] = await query(url, "SELECT VERSION() AS version");
  servers.set(name, String(row!["version"]).split("-")[0]!);
}

/** Counts what passes. */
export function recorded(test: Test, orm: Orm, server: string): Record {
  return (column, name, run) => {
    const key = [orm.name, server, column].join(", ");
    const cell = cells.get(key) ?? { passed: 0, all: 0 };
    cells.set(key, cell);
    cell.all++;
    test(`${column === "contract" ? "" : `${column}: `}${name}`, async () => {
      await run();
      cell.passed++;
    });
  };
}

export function printTable(orms: readonly Orm[]): void {
  const rows = orms.flatMap((orm) =>
    [...servers].map(([server, version]) => [
      `${orm.name} ${versionOf(orm.package)}`,
      `${server} ${version}`,
      ...columns.map((column) => {
        const cell = cells.get([orm.name, server, column].join(", "));
        return cell ? `${cell.passed} of ${cell.all}` : "-";
      }),
    ]),
  );
  const table = [["ORM", "server", ...columns], ...rows];
  const widths = table[0]!.map((_, index) => Math.max(...table.map((row) => row[index]!.length)));
  for (const row of table) console.log(`| ${row.map((cell, index) => cell.padEnd(widths[index]!)).join(" | ")} |`);
}
