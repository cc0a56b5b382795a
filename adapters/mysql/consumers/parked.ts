/** The parked contacts of subscriptions, and consumers that resume. */
import { positionToResume } from "../../../lib/decisions/consumers.ts";
import type { ConsumerStorage, ParkedRow } from "../../../lib/storage/consumers.ts";
import type { Refused } from "../../../lib/storage/rows.ts";
import { readPage } from "../pages.ts";
import { id, slotStatements, text, toChange, failureStatements as sql, type Row } from "../sql/index.ts";
import { assertCaughtUp, readOne, type OwnRunner, type Work } from "../transactions/index.ts";
import { findSubscription, type Found } from "../changes/index.ts";

type Release = Refused | null;

export function createParked(
  runner: OwnRunner,
): Pick<ConsumerStorage, "listParked" | "releaseParked" | "resumeChanges"> {
  /** Runs the step in a transaction, unless the subscription does not exist. */
  const onSubscription = (
    workspace: string,
    key: string,
    step: (work: Work<string>, found: Found) => Promise<Release>,
  ): Promise<Release> =>
    runner.writeInSteps(null, async (work: Work<string>) => {
      const found = await findSubscription(work, workspace, key);
      return { result: "refused" in found ? found : await step(work, found) };
    });

  return {
    listParked: (workspace, key, slice) =>
      readOne(runner, slice, async (work, copy) => {
        const found = await findSubscription(work, workspace, key);
        if ("refused" in found) return found;
        return readPage(work, copy, toParked, (last, limit) =>
          sql.listParked(workspace, found.subscriptionId, { limit, after: last ?? copy.after }),
        );
      }),
    releaseParked: (workspace, key, changeId, how) =>
      onSubscription(workspace, key, async (work, { subscriptionId }) => {
        const one = { limit: 1, after: null };
        const [row] = await work.rows(sql.listParked(workspace, subscriptionId, one, changeId));
        // An earlier try has released the contact.
        if (!row && work.intended === changeId) return null;
        if (!row || (how === "retry" && row.position === null)) assertCaughtUp(work);
        if (!row) return { refused: { code: "change_not_parked" } };
        if (how === "retry" && row.position === null) return { refused: { code: "changes_expired" } };
        work.intend(changeId);
        const released = await work.write(
          sql.releaseParked(subscriptionId, id(row.parked_id), changeId, how === "drop"),
        );
        return released > 0 ? null : { refused: { code: "change_not_parked" } };
      }),
    resumeChanges: (workspace, key, from) =>
      onSubscription(workspace, key, async (work, found) => {
        const position = positionToResume(from, found);
        if (typeof position === "object") return position;
        const { subscriptionId } = found;
        await work.write(slotStatements.resumeSlots(subscriptionId, position, typeof from === "number"));
        if (from !== "oldest") await work.write(sql.deleteAllWaiting(subscriptionId));
        return null;
      }),
  };
}

function toParked(row: Row): ParkedRow {
  return {
    id: id(row.failed_id),
    createdAt: Number(row.failed_at),
    contactId: id(row.parked_id),
    change: row.position === null ? null : toChange(row),
    failures: Number(row.failures),
    error: text(row.error),
  };
}
