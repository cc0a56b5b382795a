import type { ComponentChildren } from "preact";
import type { Loaded, LoadedPages } from "../loading.ts";
import { Button } from "./button.tsx";
import { Failure } from "./failure.tsx";

interface WhenLoadedProps<Value> {
  /** A polled value needs no `reload`, because it loads again by itself. */
  of: Omit<Loaded<Value>, "reload"> & { reload?: (() => void) | undefined };
  children: (value: Value) => ComponentChildren;
}

/** Shows the loaded value. Until then it shows that the value is loading, or the error. */
export function WhenLoaded<Value>({ of, children }: WhenLoadedProps<Value>) {
  const { value, error, isLoading, reload } = of;
  return (
    <div aria-busy={isLoading}>
      {error !== undefined && !isLoading && <Failure error={error} retry={reload} />}
      {value !== undefined ? children(value) : isLoading && <p class="loading">Loading…</p>}
    </div>
  );
}

/** The button that loads the next page of a list. */
export function More({ of: { more, isLoading } }: { of: Pick<LoadedPages<unknown>, "more" | "isLoading"> }) {
  if (!more) return null;
  return <Button action={isLoading ? "Loading…" : "Show more"} look="more" isDisabled={isLoading} onClick={more} />;
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
