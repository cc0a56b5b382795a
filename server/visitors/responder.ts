import { hash } from "node:crypto";
import { foldEmail } from "../../lib/model/emails.ts";
import { notDefined } from "../../lib/definitions/index.ts";
import { errorAnswer, textAnswer, toAnswer, type Answer } from "../../lib/http/answer.ts";
import { allow, type Headers } from "../../lib/http/headers.ts";
import { isValidlyEncoded, withoutBase } from "../../lib/http/paths.ts";
import { readJson, type Call } from "../../lib/http/respond.ts";
import { ok } from "../../lib/http/statuses.ts";
import { parseExternalId } from "../../lib/input/structs.ts";
import { isTrackerError, TrackerError } from "../../lib/model/errors.ts";
import type { ChecklistProgress } from "../../lib/model/types.ts";
import { checklistsPath, eventsPath, ownHeader, scriptPath } from "./agreed.ts";
import { script } from "./bundle.js";
import { readItems, recordItems } from "./events.ts";
import { createItemLimit } from "./item-limit.ts";
import { bodyMaxBytes } from "./limits.ts";
import type { WithContact } from "./new-contacts.ts";
import { fieldsOf, requestOf, type TrackerCalls, type Visit } from "./tracker-calls.ts";

export interface VisitorResponderOptions {
  calls: TrackerCalls;
  withContact: WithContact;
  basePath: string;
  identify(request: unknown): unknown;
  /** `null` for all checklists. */
  checklistKeys: ReadonlySet<string> | null;
  eventKeys: ReadonlySet<string>;
}

interface Route {
  method: "GET" | "POST";
  /** Its groups are the arguments of `run`, still percent-encoded. */
  path: RegExp;
  run(visit: Visit, ...segments: string[]): Promise<Answer>;
}

const notModified = 304;
const visitorTagStart = "v_";

/** Made once. Anybody may request it. */
const scriptAnswer = textAnswer(script, "text/javascript");
const scriptTag = tagOf(script);

/** Answers the requests of pages for their visitors. Never rejects. */
export function createVisitorResponder(options: VisitorResponderOptions): (call: Call) => Promise<Answer> {
  const { calls, withContact, basePath, identify, checklistKeys, eventKeys } = options;
  const { askOwn, report } = calls;
  const takeItems = createItemLimit(Date.now);
  const routes: readonly Route[] = [
    { method: "GET", path: new RegExp(`^${checklistsPath}$`), run: listChecklists },
    {
      method: "POST",
      path: new RegExp(`^${checklistsPath}/([^/]+)/items/([^/]+)/complete$`),
      run: (visit, key = "", item = "") => changeChecklist(visit, key, `/items/${item}/complete`),
    },
    {
      method: "POST",
      path: new RegExp(`^${checklistsPath}/([^/]+)/(dismiss|restore)$`),
      run: (visit, key = "", deed = "") => changeChecklist(visit, key, `/${deed}`),
    },
    { method: "POST", path: new RegExp(`^${eventsPath}$`), run: recordEvents },
  ];

  return async (call) => {
    const tag: Headers = [];
    const { headers, body, ...answer } = await answerCall(call, tag).catch((error: unknown) => refuse(error, call));
    const caching = headers.includes("Cache-Control") ? [] : ["Cache-Control", "no-store"];
    const all = headers.concat(["X-Content-Type-Options", "nosniff"], caching, tag);
    return { ...answer, headers: all, body: call.method === "HEAD" ? "" : body };
  };

  /** The order of these steps is the order of the refusals. Adds the tag of the visitor to the headers of all answers. */
  async function answerCall(call: Call, headers: Headers): Promise<Answer> {
    if ([call.path, withoutBase(call.path, basePath)].includes(scriptPath)) return answerScript(call);
    // 401
    const visit: Visit = { call, externalId: await identified(call) };
    headers.push(ownHeader, visitorTagOf(visit.externalId));
    // 400 of the path, 404 of the route
    if (!isValidlyEncoded(call.path)) throw new TrackerError("invalid_path");
    const below = withoutBase(call.path, basePath);
    // The framework may have removed the base path.
    const path = routes.some((route) => route.path.test(below)) ? below : call.path;
    const found = routes.find((route) => route.path.test(path));
    if (!found) throw new TrackerError("route_not_found");
    // 405
    if ((call.method === "HEAD" ? "GET" : call.method) !== found.method) return notAllowed(found.method);
    // 403, 429
    if (found.method === "POST") admitWrite(visit);
    const [, ...segments] = found.path.exec(path)!;
    return found.run(visit, ...segments);
  }

  async function identified(call: Call): Promise<string> {
    const found = await Promise.resolve(requestOf(call))
      .then(identify)
      .catch((error: unknown) => report(error, call));
    try {
      return parseExternalId(found);
    } catch {
      throw new TrackerError("unauthenticated");
    }
  }

  function admitWrite({ call, externalId }: Visit): void {
    const sent = call.header(ownHeader);
    if (sent === null) throw new TrackerError("forbidden", { message: `Writes need the header ${ownHeader}.` });
    // Other values, such as those of the host's own code, name no visitor.
    if (sent.startsWith(visitorTagStart) && sent !== visitorTagOf(externalId)) {
      throw new TrackerError("forbidden", { message: "This is a write of another visitor." });
    }
    takeItems(externalId, 1);
  }

  async function listChecklists(visit: Visit): Promise<Answer> {
    const count = (): void => takeItems(visit.externalId, 1);
    const answer = await withContact(visit, () => askOwn(visit, "GET", "/checklists"), count);
    const fields = fieldsOf(answer);
    if (!fields) return answer;
    const items = (fields["items"] as ChecklistProgress[]).filter(({ checklistKey }) => isListed(checklistKey));
    const listed = toAnswer(ok, { success: true, items });
    return tagged(visit.call, listed, tagOf(String(listed.body)), "private, no-cache");
  }

  async function changeChecklist(visit: Visit, key: string, deed: string): Promise<Answer> {
    const checklistKey = decodeURIComponent(key);
    if (!isListed(checklistKey)) throw notDefined("checklist", checklistKey);
    return withContact(visit, () => askOwn(visit, "POST", `/checklists/${key}${deed}`));
  }

  async function recordEvents(visit: Visit): Promise<Answer> {
    const items = readItems(await readJson(visit.call, bodyMaxBytes));
    takeItems(visit.externalId, items.length - 1);
    return withContact(visit, () => recordItems(visit, items, calls, eventKeys));
  }

  function isListed(checklistKey: string): boolean {
    return checklistKeys === null || checklistKeys.has(checklistKey);
  }

  async function refuse(thrown: unknown, call: Call): Promise<Answer> {
    if (!isTrackerError(thrown)) await report(thrown, call);
    const error = isTrackerError(thrown) ? thrown : new TrackerError("internal");
    const { retryAfterSeconds } = error;
    const headers = retryAfterSeconds === null ? [] : ["Retry-After", String(retryAfterSeconds)];
    return { ...errorAnswer(error, headers), thrown };
  }
}

function answerScript(call: Call): Answer {
  if (call.method !== "GET" && call.method !== "HEAD") return notAllowed("GET");
  return tagged(call, scriptAnswer, scriptTag, "no-cache");
}

function notAllowed(method: Route["method"]): Answer {
  const methods = method === "GET" ? ["GET", "HEAD"] : [method];
  return errorAnswer(new TrackerError("method_not_allowed"), allow(methods));
}

/** Tells the visitors of one browser apart, whatever the case of their emails. */
function visitorTagOf(externalId: string): string {
  return visitorTagStart + hash("sha256", foldEmail(externalId), "base64url").slice(0, 16);
}

function tagOf(body: string): string {
  return `"${hash("sha256", body, "base64url")}"`;
}

/** Adds the ETag. Answers 304 if the browser has the body already. */
function tagged(call: Call, answer: Answer, tag: string, cacheControl: string): Answer {
  const caching: Headers = ["ETag", tag, "Cache-Control", cacheControl];
  // A proxy may have marked the tag as weak.
  if (call.header("if-none-match")?.includes(tag)) return { status: notModified, headers: caching, body: "" };
  return { ...answer, headers: answer.headers.concat(caching) };
}
