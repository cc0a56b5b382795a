import type { Refused, SubscriptionRow } from "../../../lib/storage/rows.ts";
import { id, subscriptionStatements, text } from "../sql/index.ts";
import { assertCaughtUp, type Work } from "../transactions/index.ts";

/** A subscription, and the positions of the log that it accepts. */
export interface Found {
  subscriptionId: string;
  topics: SubscriptionRow["body"]["on"];
  /** That of a webhook. */
  url: string | undefined;
  /** The smallest position. */
  first: number;
  /** The end of the log. It is read before the changes, so no change is missed. */
  end: number;
}

export async function findSubscription(work: Work, workspace: string, key: string): Promise<Found | Refused> {
  const [row] = await work.rows(subscriptionStatements.findSubscription(workspace, key));
  if (!row) {
    assertCaughtUp(work);
    return { refused: { code: "definition_not_found" } };
  }
  const { on, url } = JSON.parse(text(row.body)) as SubscriptionRow["body"];
  return { subscriptionId: id(row.id), topics: on, url, first: Number(row.first_position), end: Number(row.position) };
}
