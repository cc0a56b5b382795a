import type { ComponentChildren } from "preact";
import type { Loaded, LoadedPages } from "../loading.ts";
import { Failure } from "./failure.tsx";

/** Shows the loaded value. Until then it shows that the value is loading, or the error. */
export function WhenLoaded<Value>({
  of: loaded,
  children,
}: {
  of: Loaded<Value>;
  children: (value: Value) => ComponentChildren;
}) {
  const { value, error, isLoading, reload } = loaded;
  return (
    <div aria-busy={isLoading}>
      {error !== undefined && !isLoading && <Failure error={error} retry={reload} />}
      {value !== undefined ? children(value) : isLoading && <p class="loading">Loading…</p>}
    </div>
  );
}

/**
 * A table. A small screen shows the columns that `narrow` names alone. Without `narrow` it shows the cells of a row below each other.
 * The cells that it leaves out need the class `wide`, those of the columns that `right` names the class `right`.
 */
export function Table({
  label,
  columns,
  narrow,
  right = [],
  children,
}: {
  label: string;
  columns: readonly string[];
  narrow?: readonly string[];
  right?: readonly string[];
  children: ComponentChildren;
}) {
  const classesOf = (column: string): string =>
    `${narrow && !narrow.includes(column) ? "wide" : ""} ${right.includes(column) ? "right" : ""}`.trim();
  return (
    <div class={narrow ? "table narrow" : "table stacked"} role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={classesOf(column) || undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Loads the next page of a list. */
export function More({ of: { more, isLoading } }: { of: Pick<LoadedPages<unknown>, "more" | "isLoading"> }) {
  if (!more) return null;
  return (
    <button type="button" class="button more" disabled={isLoading} onClick={more}>
      {isLoading ? "Loading…" : "Show more"}
    </button>
  );
}

/** Shown in place of an empty list. Says what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
