import type { Outcome } from "./cases.ts";

/** Outcomes by version of Node. */
export type Results = Record<string, Outcome[]>;

/** The matrix as the README prints it. */
export function matrixTable(results: Results): string {
  const [first = []] = Object.values(results);
  const rows = first.map(({ mount }, index) => [
    mount,
    ...Object.values(results).map((outcomes) => cell(outcomes[index]!)),
  ]);
  return table([["Mounted in", ...Object.keys(results)], ...rows]);
}

function cell({ otherwise }: Outcome): string {
  return otherwise.length === 0 ? "all" : `all but ${otherwise.length}`;
}

/** The cases that a framework answers by itself, each list under the mounts that it is the same for. */
export function ownAnswers(outcomes: readonly Outcome[]): string {
  const mountsOf = new Map<string, string[]>();
  for (const { mount, otherwise } of outcomes) {
    for (const title of otherwise) mountsOf.set(title, [...(mountsOf.get(title) ?? []), mount]);
  }
  const groups = new Map<string, string[]>();
  for (const [title, mounts] of mountsOf)
    groups.set(mounts.join("; "), [...(groups.get(mounts.join("; ")) ?? []), title]);
  const sections = Array.from(groups, ([mounts, titles]) =>
    [`### ${mounts}`, "", ...titles.map((title) => `- \`${title}\``), ""].join("\n"),
  );
  return sections.join("\n");
}

/** Aligned as prettier aligns. */
function table(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const [head, ...body] = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`,
  );
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body].join("\n");
}
