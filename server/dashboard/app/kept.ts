import { basePath } from "./session.ts";

/** The texts that the browser does not store, because its storage is full or refused. */
const inMemory = new Map<string, string>();
const prefix = `whodid ${basePath} `;

/** The text that this tab keeps under a name, also after a reload. */
export function kept(name: string): string | null {
  try {
    return inMemory.get(name) ?? sessionStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

/** Keeps a text; `null` removes it. */
export function keep(name: string, text: string | null): void {
  inMemory.delete(name);
  try {
    if (text === null) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, text);
  } catch {
    if (text !== null) inMemory.set(name, text);
  }
}

/** Removes all that this tab keeps for the page. */
export function forgetAll(): void {
  inMemory.clear();
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
  } catch {
    // The browser refuses its storage, so nothing is in it.
  }
}
