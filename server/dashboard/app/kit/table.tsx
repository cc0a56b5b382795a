import type { ComponentChildren } from "preact";

/** The content of the cells of a row, by the titles of their columns. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => ComponentChildren>>;

interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: Columns<Row>;
  /** The buttons at the end of a row. */
  actions?: (row: Row) => ComponentChildren;
  /** The titles of the columns that a small screen leaves out. */
  wide?: readonly string[];
  /** The titles of the columns that are aligned to the right. */
  right?: readonly string[];
  /** Whether a small screen shows the cells of a row below each other, without the titles. */
  isStacked?: boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, keyOf, columns, actions, wide = [], right = [], isStacked = false } = props;
  const cells = Object.entries<Columns<Row>[string]>({ ...columns, ...(actions && { Actions: actions }) });
  const classOf = (title: string): string | undefined => {
    if (columns[title] === undefined) return "row-actions right";
    return `${wide.includes(title) ? "wide" : ""} ${right.includes(title) ? "right" : ""}`.trim() || undefined;
  };
  return (
    <div
      class={isStacked ? "framed table stacked" : "framed table narrow"}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            {cells.map(([title]) => (
              <th key={title} scope="col" class={classOf(title)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {cells.map(([title, cell]) => (
                <td key={title} class={classOf(title)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
