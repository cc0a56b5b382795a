/** Webhooks, and the secrets that sign their messages. */
import { signingSecrets } from "../../../lib/decisions/webhooks.ts";
import type { SubscriptionBody } from "../../../lib/storage/definitions.ts";
import type { SecretRow, WebhookRow, WebhookState } from "../../../lib/storage/webhooks.ts";
import { hexOf, integer, plain, sqlOf, uuid } from "./fragments.ts";
import { id, text, type Row } from "./rows.ts";
import { query, table, template, type Statement } from "./statement.ts";
import { milliseconds } from "./subscriptions.ts";

/** Begins the webhook anew; its secrets stay. */
export const putWebhook = (subscriptionId: string, state: WebhookState): Statement => query("putWebhook")`
  INSERT INTO ${table.webhooks} (subscription_id, version, state)
  VALUES (${uuid(subscriptionId)}, 1, ${plain(JSON.stringify(state))})
  ON DUPLICATE KEY UPDATE version = version + 1, state = VALUES(state)`;

export const putWebhookState = (subscriptionId: string, version: number, state: WebhookState): Statement =>
  query("putWebhookState")`
  UPDATE ${table.webhooks} SET version = version + 1, state = ${plain(JSON.stringify(state))}
  WHERE subscription_id = ${uuid(subscriptionId)} AND version = ${integer(version)}`;

const listed = template`
  SELECT d.id, d.workspace, d.definition_key, d.body, h.version, h.state, ${sqlOf(milliseconds)} AS now,
    s.id AS secret_id, s.secret, s.created_at, s.ends_at
  FROM ${table.webhooks} h STRAIGHT_JOIN ${table.definitions} d FORCE INDEX (PRIMARY) ON d.id = h.subscription_id
  LEFT JOIN ${table.webhookSecrets} s FORCE INDEX (PRIMARY) ON s.subscription_id = h.subscription_id
  WHERE NOT EXISTS (SELECT 1 FROM ${table.workspaces} w WHERE w.workspace = d.workspace AND w.deleted_at IS NOT NULL)`;

/** Lists a row for each secret of each webhook, and one for a webhook without secrets. */
export const listWebhooks: Statement = query("listWebhooks")`${listed} ORDER BY d.created_at, d.id`;

/** The rows of one webhook. */
export const findWebhook = (subscriptionId: string): Statement => query("findWebhook")`
  ${listed} AND h.subscription_id = ${uuid(subscriptionId)}`;

/** Locks the webhook of a subscription, for a change of its secrets. */
export const lockWebhook = (subscriptionId: string): Statement => query("lockWebhook")`
  SELECT ${sqlOf(milliseconds)} AS now FROM ${table.webhooks} WHERE subscription_id = ${uuid(subscriptionId)} FOR UPDATE`;

export const listSecrets = (subscriptionId: string): Statement => query("listSecrets")`
  SELECT id AS secret_id, secret, created_at, ends_at FROM ${table.webhookSecrets}
  WHERE subscription_id = ${uuid(subscriptionId)}`;

/** Deletes the secrets that are not among these. */
export const deleteOtherSecrets = (subscriptionId: string, kept: readonly SecretRow[]): Statement =>
  query("deleteOtherSecrets")`
  DELETE FROM ${table.webhookSecrets} WHERE subscription_id = ${uuid(subscriptionId)}
    AND NOT FIND_IN_SET(HEX(id), ${plain(kept.map((secret) => hexOf(secret.id).toUpperCase()).join())})`;

export const putSecret = (subscriptionId: string, row: SecretRow): Statement =>
  query("putSecret", { mayChangeNothing: true })`
  INSERT INTO ${table.webhookSecrets} (subscription_id, id, secret, created_at, ends_at)
  VALUES (${uuid(subscriptionId)}, ${uuid(row.id)}, ${row.secret}, ${row.createdAt}, ${plain(row.endsAt)})
  ON DUPLICATE KEY UPDATE ends_at = VALUES(ends_at)`;

export function toSecret(row: Row): SecretRow {
  return {
    id: id(row.secret_id),
    secret: text(row.secret),
    createdAt: Number(row.created_at),
    endsAt: row.ends_at === null ? null : Number(row.ends_at),
  };
}

/** Reads the rows of `listWebhooks`. A subscription that an earlier version defined anew has no URL, and is left out. */
export function toWebhooks(rows: readonly Row[]): WebhookRow[] {
  const webhooks = new Map<string, WebhookRow>();
  for (const row of rows) {
    const { url, concurrency } = JSON.parse(text(row.body)) as SubscriptionBody;
    if (url === undefined || concurrency === undefined) continue;
    const subscriptionId = id(row.id);
    const webhook = webhooks.get(subscriptionId) ?? {
      workspace: text(row.workspace),
      key: text(row.definition_key),
      subscriptionId,
      url,
      concurrency,
      state: JSON.parse(text(row.state)) as WebhookState,
      version: Number(row.version),
      secrets: [],
      now: Number(row.now),
    };
    if (row.secret_id !== null) webhook.secrets.push(toSecret(row));
    webhooks.set(subscriptionId, webhook);
  }
  return Array.from(webhooks.values(), (webhook) => ({
    ...webhook,
    secrets: signingSecrets(webhook.secrets, webhook.now),
  }));
}
