import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { keep as keepText, kept } from "../kept.ts";
import { session } from "../session.ts";
import { newKeyOf, type EditedKind, type KindName } from "./kinds.ts";

/** The draft of a definition. It stays in the tab until it is saved or discarded, also while other pages are shown. */
export interface Unsaved<Definition, Draft> {
  draft: Draft;
  /** The definition that the user began to edit; `null` for a new one. */
  begun: Definition | null;
  /** The draft of the stored definition. */
  saved: Draft;
  isChanged: boolean;
  change(parts: Partial<Draft>): void;
  /** Replaces the draft that was sent by the definition that the server has stored, unless the draft has changed since. */
  store(sent: Draft, stored: Definition): void;
  /** Replaces the stored definition by a newer one of somebody else. The draft stays. */
  setStored(stored: Definition): void;
  /** Goes back to the stored definition. */
  discard(): void;
}

/** `definition` is `null` for a new one. Two drafts are the same if `compared` returns the same JSON for them. */
export function useUnsaved<Definition extends { key: string }, Draft extends { key: string }>(
  kind: EditedKind,
  definition: Definition | null,
  draftOf: (definition: Definition | null) => Draft,
  compared: (draft: Draft) => object,
  linked = "",
): Unsaved<Definition, Draft> {
  type Kept = Draft & { begun?: Definition | null };
  const keptOf = (stored: Definition | null): Kept => ({ ...draftOf(stored), begun: stored });
  const name = nameOf(kind, definition?.key ?? newKeyOf(kind) + linked);
  const [saved, setSaved] = useState(() => keptOf(definition));
  const [draft, setDraft] = useState(() => read<Kept>(name) ?? saved);
  const newest = useRef(draft);
  newest.current = draft;
  const isSame = (one: Draft, other: Draft): boolean =>
    JSON.stringify(compared(one)) === JSON.stringify(compared(other));
  const isChanged = !isSame(draft, saved);
  useLayoutEffect(() => keep(name, isChanged ? draft : null), [name, isChanged, draft]);
  return {
    draft,
    // A draft that an earlier version of the dashboard kept has no `begun`.
    begun: draft.begun === undefined ? definition : draft.begun,
    saved,
    isChanged,
    change: (parts) => setDraft((before) => ({ ...before, ...parts })),
    store(sent, stored) {
      // If the user has left the page and come back, another component has kept the newest draft.
      const last = read<Kept>(name) ?? newest.current;
      const changed = isSame(last, sent) ? null : { ...last, key: stored.key, begun: stored };
      keep(name, null);
      keep(nameOf(kind, stored.key), changed);
      if (definition === null) return;
      setSaved(keptOf(stored));
      setDraft((before) => (changed ? { ...before, key: stored.key, begun: stored } : keptOf(stored)));
    },
    setStored: (stored) => setSaved(keptOf(stored)),
    discard() {
      keep(name, null);
      setDraft(saved);
    },
  };
}

/** Removes the draft of a deleted definition. */
export function forgetUnsaved(kind: KindName, key: string): void {
  keep(nameOf(kind, key), null);
}

/** A draft for one workspace is not shown in another. */
const nameOf = (kind: KindName, key: string): string => `${session.get().own?.workspace} ${kind} ${key}`;

function read<Draft>(name: string): Draft | null {
  try {
    return JSON.parse(kept(name) ?? "null") as Draft | null;
  } catch {
    return null;
  }
}

function keep(name: string, draft: object | null): void {
  keepText(name, draft && JSON.stringify(draft));
}
