import { useState } from "preact/hooks";
import { issue, TrackerError } from "../../../lib/model/errors.ts";
import { useAction } from "./loading.ts";

/** The draft of a form, with the functions that change and save it. The draft stays after a failure. */
export interface Form<Draft extends object> {
  draft: Draft;
  change(parts: Partial<Draft>): void;
  /** Resolves with whether the draft was saved. */
  save(): Promise<boolean>;
  isSaving: boolean;
  /** The error of the last save. */
  error: unknown;
}

export function useForm<Draft extends object>(initial: Draft, send: (draft: Draft) => Promise<unknown>): Form<Draft> {
  const [draft, setDraft] = useState(initial);
  const { run, isRunning, error } = useAction(() => send(draft));
  const change = (parts: Partial<Draft>): void => setDraft((before) => ({ ...before, ...parts }));
  return { draft, change, save: run, isSaving: isRunning, error };
}

/** Refuses the key of a new definition if it is taken, because defining it would replace the other definition. */
export function assertNewKey(key: string, defined: readonly { key: string }[]): void {
  if (!defined.some((definition) => definition.key === key)) return;
  const issues = [issue("key", "repeated_key", "This key is taken. Choose another, or change what has it.")];
  throw new TrackerError("invalid_input", { issues });
}
