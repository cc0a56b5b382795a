import type { Storage } from "../../lib/storage/port.ts";
import { listRecentEvents } from "./events/index.ts";
import { readPage } from "./pages.ts";
import { contactListStatements, eventStatements, toEventUsage } from "./sql/index.ts";
import { readNumber, type Runner } from "./transactions/index.ts";

/** The port's methods about all contacts of a workspace. Like an audience, they may have to read much of the workspace. */
export function createOverviews(
  runner: Runner,
  timeoutMs: number,
): Pick<Storage, "countContacts" | "listRecentEvents" | "listEventUsage"> {
  return {
    countContacts: (workspace) =>
      runner.read((work) => readNumber(work, contactListStatements.countContacts(workspace), "contacts"), timeoutMs),
    listRecentEvents(workspace, eventKey, slice) {
      const copy = structuredClone(slice);
      return runner.read((work) => listRecentEvents(work, workspace, eventKey, copy), timeoutMs);
    },
    listEventUsage(workspace, after, size) {
      const copy = structuredClone(size);
      return runner.read(
        (work) =>
          readPage(work, copy, toEventUsage, (last, count) =>
            eventStatements.listEventUsage(workspace, last?.eventKey ?? after, count),
          ),
        timeoutMs,
      );
    },
  };
}
