import { hash } from "node:crypto";
import { foldEmail } from "../../lib/model/emails.ts";
import { notDefined } from "../../lib/definitions/index.ts";
import { errorAnswer, notAllowed, sealed, textAnswer, toAnswer, type Answer } from "../../lib/http/answer.ts";
import type { Headers } from "../../lib/http/headers.ts";
import { isValidlyEncoded, withoutBase } from "../../lib/http/paths.ts";
import { readJson, type Call } from "../../lib/http/respond.ts";
import { createMatcher, findRoute } from "../../lib/http/routes/match.ts";
import { ok } from "../../lib/http/statuses.ts";
import { parseExternalId } from "../../lib/input/structs.ts";
import { isTrackerError, TrackerError } from "../../lib/model/errors.ts";
import type { ChecklistProgress } from "../../lib/model/types.ts";
import { checklistsPath, eventsPath, ownHeader, scriptPath } from "./agreed.ts";
import { script } from "./bundle.js";
import { readItems, recordItems } from "./events.ts";
import { createItemLimit } from "./item-limit.ts";
import { bodyMaxBytes, itemsPerMinuteMax, readsPerMinuteMax } from "./limits.ts";
import type { WithContact } from "./new-contacts.ts";
import { fieldsOf, type NamedVisitor, type TrackerCalls, type Visit } from "./tracker-calls.ts";

export interface VisitorResponderOptions {
  calls: TrackerCalls;
  withContact: WithContact;
  basePath: string;
  /** Returns `null` for no visitor. An error is reported, and no visitor either. */
  identify(this: void, call: Call): NamedVisitor | null | Promise<NamedVisitor | null>;
  /** The origins whose pages may ask with a token; `null` without tokens. */
  origins: ReadonlySet<string> | null;
  /** `null` for all checklists. */
  checklistKeys: ReadonlySet<string> | null;
  eventKeys: ReadonlySet<string>;
}

interface Route {
  method: "GET" | "POST";
  path: string;
  /** Gets the parameters of the path. */
  run(visit: Visit, parameters: Readonly<Record<string, string>>): Promise<Answer>;
}

const noContent = 204;
const notModified = 304;
const preflightSeconds = 2 * 60 * 60;
const visitorTagStart = "v_";

/** Made once, because anybody may request it. */
const scriptAnswer = textAnswer(script, "text/javascript");
const scriptTag = tagOf(script);

/** Answers the requests of pages for their visitors. Never rejects. */
export function createVisitorResponder(options: VisitorResponderOptions): (call: Call) => Promise<Answer> {
  const { calls, withContact, basePath, identify, origins, checklistKeys, eventKeys } = options;
  const { askOwn, report } = calls;
  const takeItems = createItemLimit(Date.now, itemsPerMinuteMax);
  const takeReads = createItemLimit(Date.now, readsPerMinuteMax);
  const checklist = `${checklistsPath}/:key`;
  const match = createMatcher<Route>([
    { method: "GET", path: checklistsPath, run: listChecklists },
    { method: "POST", path: `${checklist}/items/:item/complete`, run: changeChecklist("complete") },
    { method: "POST", path: `${checklist}/dismiss`, run: changeChecklist("dismiss") },
    { method: "POST", path: `${checklist}/restore`, run: changeChecklist("restore") },
    { method: "POST", path: eventsPath, run: recordEvents },
  ]);

  return async (call) => {
    const added: Headers = ["X-Content-Type-Options", "nosniff"];
    return sealed(call, await answerCall(call, added).catch((error: unknown) => refuse(error, call)), added);
  };

  /** The order of these steps is the order of the refusals. Adds the tag of the visitor to the headers of all answers. */
  async function answerCall(call: Call, headers: Headers): Promise<Answer> {
    if ([call.path, withoutBase(call.path, basePath)].includes(scriptPath)) {
      headers.push("Access-Control-Allow-Origin", "*");
      return answerScript(call);
    }
    if (origins && addOriginHeaders(call, origins, headers)) return { status: noContent, headers: [], body: "" };
    // 401
    const visit = await identified(call, headers);
    headers.push(ownHeader, visit.tag);
    // 400 of the path, 404 of the route, 405
    const below = withoutBase(call.path, basePath);
    // The framework may have removed the base path.
    const path = isValidlyEncoded(below) && match(call.method, below) ? below : call.path;
    const { route, parameters } = findRoute(match, { method: call.method, path }, headers);
    // 403, 429
    if (route.method === "POST") admitWrite(visit);
    else takeReads(visit.tag, 1);
    return route.run(visit, parameters);
  }

  async function identified(call: Call, headers: Headers): Promise<Visit> {
    const found = await Promise.resolve(call)
      .then(identify)
      .catch((error: unknown) => report(error, call).then(() => null));
    try {
      const externalId = parseExternalId(found?.externalId);
      return { ...found!, call, externalId, tag: visitorTagOf(found!.tagStart + externalId) };
    } catch {
      if (origins) headers.push("WWW-Authenticate", "Bearer");
      throw new TrackerError("unauthenticated");
    }
  }

  function admitWrite({ call, tag }: Visit): void {
    const sent = call.header(ownHeader);
    if (sent === null) throw new TrackerError("forbidden", { message: `Writes need the header ${ownHeader}.` });
    // Other values, such as those of the host's own code, name no visitor.
    if (sent.startsWith(visitorTagStart) && sent !== tag) {
      throw new TrackerError("forbidden", { message: "This is a write of another visitor." });
    }
    takeItems(tag, 1);
  }

  async function listChecklists(visit: Visit): Promise<Answer> {
    const count = (): void => takeItems(visit.tag, 1);
    const answer = await withContact(visit, () => askOwn(visit, "GET", "/checklists"), count);
    const fields = fieldsOf(answer);
    if (!fields) return answer;
    const items = (fields["items"] as ChecklistProgress[]).filter(({ checklistKey }) => isListed(checklistKey));
    const listed = toAnswer(ok, { success: true, items });
    return tagged(visit.call, listed, tagOf(String(listed.body)), "private, no-cache");
  }

  function changeChecklist(deed: string): Route["run"] {
    return async (visit, { key = "", item }) => {
      if (!isListed(key)) throw notDefined("checklist", key);
      const itemPath = item === undefined ? "" : `/items/${encodeURIComponent(item)}`;
      const path = `/checklists/${encodeURIComponent(key)}${itemPath}/${deed}`;
      return withContact(visit, () => askOwn(visit, "POST", path));
    };
  }

  async function recordEvents(visit: Visit): Promise<Answer> {
    const items = readItems(await readJson(visit.call, bodyMaxBytes));
    takeItems(visit.tag, items.length - 1);
    return withContact(visit, () => recordItems(visit, items, calls, eventKeys));
  }

  function isListed(checklistKey: string): boolean {
    return checklistKeys === null || checklistKeys.has(checklistKey);
  }

  async function refuse(thrown: unknown, call: Call): Promise<Answer> {
    if (!isTrackerError(thrown)) await report(thrown, call);
    const error = isTrackerError(thrown) ? thrown : new TrackerError("internal");
    const seconds = "retryAfterSeconds" in error ? error.retryAfterSeconds : null;
    const headers = seconds === null ? [] : ["Retry-After", String(seconds)];
    return { ...errorAnswer(error, headers), thrown };
  }
}

/** Adds the headers of CORS (Fetch standard). Returns whether the request only asks what a page of a listed origin may send. */
function addOriginHeaders(call: Call, origins: ReadonlySet<string>, headers: Headers): boolean {
  headers.push("Vary", "Origin, Authorization");
  const origin = call.header("origin");
  if (origin === null || !origins.has(origin)) return false;
  headers.push("Access-Control-Allow-Origin", origin);
  const isPreflight = call.method === "OPTIONS" && call.header("access-control-request-method") !== null;
  if (!isPreflight) headers.push("Access-Control-Expose-Headers", "ETag, Retry-After");
  else {
    headers.push("Access-Control-Allow-Methods", "GET, POST");
    headers.push("Access-Control-Allow-Headers", `authorization, content-type, if-none-match, ${ownHeader}`);
    headers.push("Access-Control-Max-Age", String(preflightSeconds));
  }
  return isPreflight;
}

function answerScript(call: Call): Answer {
  if (call.method !== "GET" && call.method !== "HEAD") return notAllowed(["GET", "HEAD"]);
  return tagged(call, scriptAnswer, scriptTag, "no-cache");
}

/** A tag that differs between the visitors of a browser. */
function visitorTagOf(visitor: string): string {
  return visitorTagStart + hash("sha256", foldEmail(visitor), "base64url").slice(0, 16);
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
