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
import { createVisitorResponder } from "./responder.ts";
import { createTrackerCalls } from "./tracker-calls.ts";

/** The options of `visitors`. */
export interface VisitorsOptions {
  /**
   * The path under which a browser reaches the routes, percent-encoded as in a URL, without a trailing slash. A request path
   * that does not start with it is used as it is: the framework has removed the base path already.
   */
  basePath: string;
  /**
   * Returns the externalId of the visitor. Called for each request, with the request that the framework passed on. It is an
   * `IncomingMessage` (Express passes its own `Request`), or the `Request` of `handle`. Any other value, and any error, is
   * answered with 401. The tracker's `onError` gets the error.
   */
  identify(request: unknown): string | null | Promise<string | null>;
  /** The keys of the checklists that visitors see and change; all by default. */
  checklists?: readonly string[] | undefined;
  /** The keys of the events that visitors may record; none by default. */
  events?: readonly string[] | undefined;
  /**
   * Returns the contact to create for a visitor who has none; its externalId is that of `identify`. An existing contact is
   * never changed: if any contact has the email, the visitor is answered 404, and the tracker's `onError` gets `email_taken`.
   * After a refusal, `create` is not called again for a minute.
   */
  create?: ((request: unknown) => NewContact | Promise<NewContact>) | undefined;
  /** The workspace of the contacts; `default` by default. */
  workspace?: string | undefined;
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
 * - Throws a `RangeError` for a base path that no URL has, and `invalid_input` for a name that no workspace can have.
 */
export function visitors(tracker: Tracker, options: VisitorsOptions): Visitors {
  const { basePath, identify, checklists, events = [], create, workspace = "default", ...others } = options;
  refuseOthers("visitors", others);
  const { [respondSymbol]: respond, [addContactSymbol]: addContact } = tracker as Tracker &
    Partial<WithRespond & WithAddContact>;
  if (!respond || !addContact) throw new TypeError("visitors takes a tracker made by createTracker");
  if (typeof identify !== "function") throw new TypeError("identify must be a function");
  if (create !== undefined && typeof create !== "function") throw new TypeError("create must be a function");
  for (const keys of [checklists ?? [], events]) {
    if (!Array.isArray(keys)) throw new TypeError("checklists and events must be lists of keys");
  }
  assertBasePath(basePath);
  parse({ name: workspace }, workspaceNameStruct);
  const calls = createTrackerCalls(respond, workspace);
  const respondVisitor = createVisitorResponder({
    calls,
    withContact: createNewContacts({
      calls,
      create,
      addContact: (contact) => addContact(workspace, contact),
      now: () => performance.now(),
    }),
    basePath,
    identify,
    checklistKeys: checklists ? new Set(checklists) : null,
    eventKeys: new Set(events),
  });
  const mounted: Visitors & WithRespond = {
    [respondSymbol]: respondVisitor,
    handle: createHandler(respondVisitor),
  };
  return mounted;
}
