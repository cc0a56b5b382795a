import { addContactSymbol, type WithAddContact } from "../../lib/contacts/upserts.ts";
import { createHandler } from "../../lib/http/fetch-handler.ts";
import { assertBasePath } from "../../lib/http/paths.ts";
import { respondSymbol, type WithRespond } from "../../lib/http/respond.ts";
import { parse } from "../../lib/input/shapes.ts";
import { workspaceNameStruct } from "../../lib/input/structs.ts";
import { refuseOthers } from "../../lib/model/arguments.ts";
import type { NewContact } from "../../lib/model/types.ts";
import type { Tracker } from "../../lib/tracker.ts";
import { createNewContacts } from "./new-contacts.ts";
import { createVisitorResponder, type VisitorResponderOptions } from "./responder.ts";
import { areSecrets, createTokenReader, type VisitorSecrets } from "./tokens.ts";
import { createTrackerCalls, requestOf } from "./tracker-calls.ts";

interface CommonOptions {
  /**
   * The path under which a browser reaches the routes, percent-encoded as in a URL, without a trailing slash. A request path
   * that does not start with it is used as it is: the framework has removed the base path already.
   */
  basePath: string;
  /** The keys of the checklists that visitors see and change; all by default. */
  checklists?: readonly string[] | undefined;
  /** The keys of the events that visitors may record; none by default. */
  events?: readonly string[] | undefined;
}

/** The options of `visitors` for pages in a session of the host. */
export interface VisitorsOptions extends CommonOptions {
  /**
   * Returns the externalId of the visitor. Called for each request, with the request that the framework passed on. It is an
   * `IncomingMessage` (Express passes its own `Request`), or the `Request` of `handle`. Any other value, and any error, is
   * answered with 401. The tracker's `onError` gets the error.
   */
  identify(request: unknown): string | null | Promise<string | null>;
  /**
   * Returns the contact to create for a visitor who has none; its externalId is that of `identify`. An existing contact is
   * never changed: if any contact has the email, the visitor is answered 404, and the tracker's `onError` gets `email_taken`.
   * After a refusal, `create` is not called again for a minute.
   */
  create?: ((request: unknown) => NewContact | Promise<NewContact>) | undefined;
  /** The workspace of the contacts; `default` by default. */
  workspace?: string | undefined;
}

/** The options of `visitors` for pages with a token that the host has signed, in `Authorization: Bearer`. */
export interface TokenVisitorsOptions extends CommonOptions {
  /** At most two for each workspace. `whodid visitor-secrets generate` prints one. */
  secrets: VisitorSecrets;
  /** The other origins whose pages may ask, as browsers write them: `https://app.example`. None by default. */
  origins?: readonly string[] | undefined;
  /**
   * Whether a token that was signed in the last 5 minutes, with an `email`, creates the contact of a visitor who has none. An
   * existing contact is never changed.
   */
  create?: boolean | undefined;
}

/** The checklists and events of the visitors of an app. */
export interface Visitors {
  /** Answers one HTTP request. Never rejects. */
  handle(request: Request): Promise<Response>;
}

/**
 * Creates the routes that the pages of an app call for their visitors, to mount with `toListener`, or by its `handle`. A
 * visitor reads and changes its own contact alone.
 * - Throws a `TypeError` for an unknown option and for a tracker that `createTracker` did not make.
 * - Throws a `RangeError` for a base path that no URL has, for other secrets than `whodid visitor-secrets generate` prints, and
 *   for an origin that browsers do not write so. Throws `invalid_input` for a name that no workspace can have.
 */
export function visitors(tracker: Tracker, options: VisitorsOptions | TokenVisitorsOptions): Visitors {
  const { basePath, checklists, events = [], ...own } = options;
  const { [respondSymbol]: respond, [addContactSymbol]: addContact } = tracker as Tracker &
    Partial<WithRespond & WithAddContact>;
  if (!respond || !addContact) throw new TypeError("visitors takes a tracker made by createTracker");
  for (const keys of [checklists ?? [], events]) {
    if (!Array.isArray(keys)) throw new TypeError("checklists and events must be lists of keys");
  }
  assertBasePath(basePath);
  const calls = createTrackerCalls(respond);
  const respondVisitor = createVisitorResponder({
    calls,
    withContact: createNewContacts({ calls, addContact, now: () => performance.now() }),
    basePath,
    ...("secrets" in own ? ofTokens(own) : ofSessions(own)),
    checklistKeys: checklists ? new Set(checklists) : null,
    eventKeys: new Set(events),
  });
  const mounted: Visitors & WithRespond = {
    [respondSymbol]: respondVisitor,
    handle: createHandler(respondVisitor),
  };
  return mounted;
}

type Identification = Pick<VisitorResponderOptions, "identify" | "origins">;
type Own<Options extends CommonOptions> = Omit<Options, keyof CommonOptions>;

function ofSessions(options: Own<VisitorsOptions>): Identification {
  const { identify, create, workspace = "default", ...others } = options;
  refuseOthers("visitors", others);
  if (typeof identify !== "function") throw new TypeError("identify must be a function");
  if (create !== undefined && typeof create !== "function") throw new TypeError("create must be a function");
  parse({ name: workspace }, workspaceNameStruct);
  return {
    async identify(call) {
      const request = requestOf(call);
      const externalId = await identify(request);
      return { workspace, externalId, tagStart: "", create: create ? () => create(request) : null };
    },
    origins: null,
  };
}

function ofTokens({ secrets, origins = [], create = false, ...others }: Own<TokenVisitorsOptions>): Identification {
  refuseOthers("visitors with secrets", others);
  if (typeof create !== "boolean") throw new TypeError("create must be true or false");
  if (!areSecrets(secrets))
    throw new RangeError("secrets must be one or two for each workspace: vs_ and 43 base64url characters");
  if (!areOrigins(origins)) throw new RangeError("origins must be written as browsers do: https://app.example");
  const readToken = createTokenReader(secrets, create, Date.now);
  return { identify: (call) => readToken(call.header("authorization")), origins: new Set(origins) };
}

/** Whether browsers send each as the `Origin` of a page. `null` is the origin of many pages, such as files. */
export function areOrigins(given: unknown): boolean {
  return Array.isArray(given) && given.every((text) => URL.canParse(text) && new URL(text).origin === text);
}
