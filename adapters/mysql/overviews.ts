import type { Storage } from "../../lib/storage/port.ts";
import type { EventUsage } from "../../lib/storage/rows.ts";
import { listRecentEvents } from "./events/index.ts";
import { readPage } from "./pages.ts";
import { contactListStatements, eventStatements, toEventUsage, type Statement } from "./sql/index.ts";
import { readNumber, readOne, type Runner } from "./transactions/index.ts";

/** The port's methods about all contacts of a workspace. Like an audience, they may have to read much of the workspace. */
export function createOverviews(
  runner: Runner,
  timeoutMs: number,
): Pick<Storage, "countContacts" | "listRecentEvents" | "listEventUsage"> {
  return {
    countContacts: (workspace) =>
      runner.read((work) => readNumber(work, contactListStatements.countContacts(workspace), "contacts"), timeoutMs),
    listRecentEvents: (workspace, eventKey, slice) =>
      readOne(runner, slice, (work, copy) => listRecentEvents(work, workspace, eventKey, copy), timeoutMs),
    listEventUsage(workspace, after, size) {
      const list = (last: EventUsage | null, count: number): Statement =>
        eventStatements.listEventUsage(workspace, last?.eventKey ?? after, count);
      return readOne(runner, size, (work, copy) => readPage(work, copy, toEventUsage, list), timeoutMs);
    },
  };
}
