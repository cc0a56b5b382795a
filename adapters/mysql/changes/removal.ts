/** Removes the changes that no subscription of their workspace keeps any longer. */
import { isTaken } from "../../../lib/decisions/changes.ts";
import type { ChangeDraft } from "../../../lib/storage/changes.ts";
import type { Storage } from "../../../lib/storage/port.ts";
import type { SubscriptionRow } from "../../../lib/storage/rows.ts";
import { readDefinitions } from "../definitions/index.ts";
import { changesPerRemoval } from "../limits.ts";
import {
  changeStatements as sql,
  keyedTopics,
  subscriptionStatements,
  text,
  textOrNull,
  type LogRange,
} from "../sql/index.ts";
import { writeOne, type OwnRunner, type Work } from "../transactions/index.ts";

const dayMs = 24 * 60 * 60 * 1_000;

/** The old changes of a workspace, up to the position `to`. */
interface Old {
  workspace: string;
  subscriptions: readonly SubscriptionRow[];
  to: number;
}

export function createRemoval(runner: OwnRunner): Pick<Storage, "removeOldChanges"> {
  return {
    async removeOldChanges(now) {
      let left = changesPerRemoval;
      for (const old of await runner.read((work) => findOld(work, now))) {
        if (left === 0) return true;
        const limit = left;
        left -= await writeOne(runner, null, (work) => removeOld(work, old, limit));
      }
      return left === 0;
    },
  };
}

/** The workspaces whose oldest change is too old. */
async function findOld(work: Work, now: number): Promise<Old[]> {
  const rows = await work.rows(sql.findOldest);
  const oldest = new Map(rows.map((row) => [text(row.workspace), Number(row.position)]));
  const list = await readDefinitions(work, oldest.keys(), ["subscription"]);
  const found: Old[] = [];
  for (const [workspace, position] of oldest) {
    const subscriptions = await list(workspace, "subscription");
    const days = subscriptions.map(({ body }) => body.keepDays);
    const to = (now - Math.max(0, ...days) * dayMs) * 1_000 - 1;
    if (position <= to) found.push({ workspace, subscriptions, to });
  }
  return found;
}

/** Removes the first old changes. Then subscriptions begin after the last removed change that they take. Resolves with the number. */
async function removeOld(work: Work, { workspace, subscriptions, to }: Old, limit: number): Promise<number> {
  const range: LogRange = { workspace, from: 0, to };
  const listed = (await work.rows(sql.listOld(range, limit))).map((row) => ({
    workspace,
    position: Number(row.position),
    kind: text(row.kind) as ChangeDraft["kind"],
    event: { eventKey: textOrNull(row.event_key) ?? "" },
    audienceKey: textOrNull(row.event_key) ?? "",
  }));
  if (listed.length === 0) return 0;
  const beginnings = new Map<string, number>();
  for (const { id, body } of subscriptions) {
    const topics = keyedTopics(body.on);
    const last = listed.findLast((change) => isTaken(topics, change));
    if (last) beginnings.set(id, last.position);
  }
  if (beginnings.size > 0) await work.write(subscriptionStatements.moveBeginnings(beginnings));
  await work.write(sql.deleteChanges(listed));
  return listed.length;
}
