import { basePath } from "./session.ts";

/** Returns an unsaved draft by its name. Drafts stay in the tab while other pages are shown. */
export function readUnsaved<Draft>(name: string): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(placeOf(name)) ?? "null") as Draft | null;
  } catch {
    return null;
  }
}

/** Stores a draft under its name; `null` removes it. */
export function keepUnsaved(name: string, draft: object | null): void {
  try {
    if (draft) sessionStorage.setItem(placeOf(name), JSON.stringify(draft));
    else sessionStorage.removeItem(placeOf(name));
  } catch {
    // A browser without room or permission for it: the page still works.
  }
}

const placeOf = (name: string): string => `whodid ${basePath} ${name}`;
