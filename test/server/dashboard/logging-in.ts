import assert from "node:assert/strict";
import type { RawAnswer, RawRequest } from "../../support/raw-connection.ts";
import { withHttpServer, type InProcess } from "../in-process.ts";

export const password = "correct horse";
export const own: Record<string, string> = { "x-whodid-dashboard": "1" };
export const setting: Record<string, string> = { DASHBOARD_PASSWORD: password };

type Ask = (request: RawRequest) => Promise<RawAnswer>;

/** Without a key. */
export function toDashboard(request: RawRequest): RawRequest {
  return { ...request, headers: { Authorization: null, ...own, ...request.headers } };
}

export async function logIn(ask: Ask, tried: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return ask(toDashboard({ target: "/dashboard/session", headers, body: JSON.stringify({ password: tried }) }));
}

export async function cookieFrom(ask: Ask, tried: string = password): Promise<string> {
  const { status, headers } = await logIn(ask, tried);
  assert.equal(status, 200);
  return headers.get("set-cookie")!.split(";")[0]!;
}

export function read(ask: Ask, Cookie: string, target = "/dashboard/api/contacts"): Promise<RawAnswer> {
  return ask(toDashboard({ target, headers: { Cookie } }));
}

export function withDashboard(
  run: (served: InProcess) => Promise<void>,
  trustedProxies: number | null = null,
): () => Promise<void> {
  return withHttpServer(run, { dashboardPassword: password, trustedProxies });
}

/** The cookies of an answer, as a browser sends them back. */
export function cookiesOf({ headers }: RawAnswer): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0]!)
    .join("; ");
}

/** Begins wrong tries, and returns their answers: a list that grows. */
export function tryWrong(ask: Ask, count: number, headersOf: (n: number) => Record<string, string>): RawAnswer[] {
  const answered: RawAnswer[] = [];
  // Their answers come one a second, too late for some of them.
  for (let n = 0; n < count; n++) {
    void logIn(ask, "wrong password", headersOf(n)).then(
      (answer) => answered.push(answer),
      () => {},
    );
  }
  return answered;
}

/** Begins wrong tries of one client, and resolves when one of them is refused because too many wait. */
export async function useUpTries(
  ask: Ask,
  headersOf: (n: number) => Record<string, string> = () => ({}),
): Promise<void> {
  const answered = tryWrong(ask, 12, headersOf);
  for (let n = 0; !answered.some(({ status }) => status === 429); n++) {
    assert.ok(n < 5_000, "no try was refused");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
