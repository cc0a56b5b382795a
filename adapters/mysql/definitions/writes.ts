import { workspaceDeleted } from "../../../lib/storage/refusals.ts";
import { beginsWebhook, putDefinition as decide } from "../../../lib/decisions/definition-writes.ts";
import {
  refusalOfAudience,
  refusalOfDeletion,
  refusalOfSubscription,
} from "../../../lib/decisions/named-definitions.ts";
import { newWebhook } from "../../../lib/decisions/webhooks.ts";
import type * as rows from "../../../lib/storage/rows.ts";
import { isDeletedWorkspace, type Work } from "../transactions/index.ts";
import { errors } from "../connection/index.ts";
import { toDefinition, webhookStatements, definitionStatements as sql } from "../sql/index.ts";
import { updateWatches } from "../watches/index.ts";
import { beginSubscription, endSubscription } from "./subscriptions.ts";
import { listDefinitions, readDefinitions } from "./lists.ts";

/**
 * Transactions that write definitions first write the row of the workspace. No other transaction can then write the definitions
 * that a decision depends on. A lock alone would not hold on the other nodes of a Galera cluster. Earlier versions of whodid do
 * not write the workspace's row, so the definition is updated only if it is unchanged.
 */
export async function putDefinition(work: Work, draft: rows.DefinitionRow): Promise<rows.DefinitionRow | rows.Refused> {
  await work.write(sql.countDefinitionWrite(draft.workspace));
  if (await isDeletedWorkspace(work, draft.workspace)) return workspaceDeleted;
  const refusal = await refusalOf(work, draft);
  if (refusal) return refusal;
  const before = await find(work, draft.workspace, draft.kind, draft.key);
  const after = decide(before, draft);
  if ("refused" in after) return after;
  if (!before) {
    await work.write(sql.insertDefinition(after));
    if (after.kind === "subscription") await beginSubscription(work, after.id);
  } else if (JSON.stringify(before.body) !== JSON.stringify(after.body)) {
    if ((await work.write(sql.updateDefinition(before, after))) === 0) throw new errors.BeginAgain();
  }
  if (beginsWebhook(before, after)) await work.write(webhookStatements.putWebhook(after.id, newWebhook));
  await updateWatches(work, draft.workspace, draft, (kind) => listDefinitions(work, draft.workspace, kind));
  return after;
}

async function refusalOf(work: Work, draft: rows.DefinitionRow): Promise<rows.Refused | null> {
  const { workspace } = draft;
  if (draft.kind === "subscription" && draft.body.on.audiences)
    return refusalOfSubscription(draft, await listDefinitions(work, workspace, "audience"));
  return draft.kind === "audience" ? refusalOfAudience(draft, await listNamed(work, workspace)) : null;
}

export async function deleteDefinition(
  work: Work<string>,
  workspace: string,
  kind: rows.DefinitionRow["kind"],
  key: string,
): Promise<boolean | rows.Refused> {
  await work.write(sql.countDefinitionWrite(workspace));
  if (await isDeletedWorkspace(work, workspace)) return workspaceDeleted;
  const before = await find(work, workspace, kind, key);
  if (work.intended !== null && before?.id !== work.intended) return true;
  if (before === null) return false;
  const refusal = refusalOfDeletion(kind, key, await listUsers(work, workspace, kind));
  if (refusal) return refusal;
  work.intend(before.id);
  if (kind === "subscription") await endSubscription(work, before.id);
  const isDeleted = (await work.write(sql.deleteDefinition(before.id))) > 0;
  await updateWatches(work, workspace, null, (named) => listDefinitions(work, workspace, named));
  return isDeleted;
}

/** Lists the definitions that can refer to a definition of this kind. */
function listUsers(
  work: Work,
  workspace: string,
  kind: rows.DefinitionRow["kind"],
): Promise<readonly (rows.AudienceRow | rows.SubscriptionRow)[]> {
  if (kind === "attribute" || kind === "checklist") return listDefinitions(work, workspace, "audience");
  return kind === "audience" ? listDefinitions(work, workspace, "subscription") : Promise.resolve([]);
}

async function listNamed(work: Work, workspace: string): Promise<(rows.AttributeRow | rows.ChecklistRow)[]> {
  const list = await readDefinitions(work, [workspace], ["attribute", "checklist"]);
  return [...(await list(workspace, "attribute")), ...(await list(workspace, "checklist"))];
}

async function find(work: Work, workspace: string, kind: string, key: string): Promise<rows.DefinitionRow | null> {
  const [row] = await work.rows(sql.findDefinition(workspace, kind, key));
  return row ? toDefinition(row) : null;
}
