import { ownHeader, sessionPath } from "../agreed.ts";
import { createStore, type Store } from "./store.ts";

const { basePath: path = "", hasLogin } = document.documentElement.dataset;

export const basePath: string = path;

/** Whether the server itself lets people in, by its password. */
export const isStandalone: boolean = hasLogin !== undefined;

/** `isOut` is true after the server refused a request. `logins` counts the logins; after each, all loaded values load again. */
export const session: Store<{ isOut: boolean; logins: number }> = createStore({ isOut: false, logins: 0 });

/** Resolves with why the server refuses the password, or `null` if it does not. */
export async function logIn(password: string): Promise<string | null> {
  const response = await askSession("POST", JSON.stringify({ password }));
  if (!response) return "The server does not answer. Try again.";
  if (response.ok) {
    session.set({ isOut: false, logins: session.get().logins + 1 });
    return null;
  }
  const told = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
  return told?.error?.message ?? `The server answered ${response.status}.`;
}

/** Rejects if the server has not ended the session. */
export async function logOut(): Promise<void> {
  const response = await askSession("DELETE", null);
  if (!response?.ok) throw new Error("You are still logged in: the server does not answer. Try again.");
  session.set({ ...session.get(), isOut: true });
}

async function askSession(method: string, body: string | null): Promise<Response | null> {
  const headers = { [ownHeader]: "1", "content-type": "application/json" };
  return fetch(basePath + sessionPath, { method, headers, body }).catch(() => null);
}
