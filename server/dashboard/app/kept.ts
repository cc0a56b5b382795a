import { basePath } from "./session.ts";

/** For a browser that refuses access to its storage. */
const inMemory = new Map<string, string>();
const prefix = `whodid ${basePath} `;

/** The text that this tab keeps under a name, over a reload too. */
export function kept(name: string): string | null {
  try {
    return sessionStorage.getItem(prefix + name);
  } catch {
    return inMemory.get(name) ?? null;
  }
}

/** Keeps a text; `null` removes it. Does nothing in a browser without room for it. */
export function keep(name: string, text: string | null): void {
  if (text === null) inMemory.delete(name);
  else inMemory.set(name, text);
  try {
    if (text === null) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, text);
  } catch {
    // The page works without it.
  }
}

/** Removes all that this tab keeps for the page. */
export function forgetAll(): void {
  inMemory.clear();
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
  } catch {
    // There was nothing else.
  }
}
