/** The methods for webhooks. */
import { randomUUID } from "node:crypto";
import { acceptedOf } from "../changes/read.ts";
import { enabled, turnAt } from "../decisions/webhooks.ts";
import { notDefined } from "../definitions/index.ts";
import { parse } from "../input/shapes.ts";
import { parseKey, secretOfWebhookStruct } from "../input/structs.ts";
import { TrackerError } from "../model/errors.ts";
import { isId, newId } from "../model/ids.ts";
import { formatTime } from "../model/times.ts";
import type { WebhookSecret, WebhookStatus, WebhookTest } from "../model/webhook-types.ts";
import type { Scope } from "../scope.ts";
import type { SecretRow, WebhookRow } from "../storage/webhooks.ts";
import { resultOf } from "./answers.ts";
import { createEndpoint } from "./endpoint.ts";
import { generateSecret, signed, testContent } from "./message.ts";
import { createPoster } from "./post.ts";
import { originOf } from "./urls.ts";

/** Adds a secret. No later call can show it. */
export async function createSecret(scope: Scope, keyInput: unknown): Promise<WebhookSecret & { secret: string }> {
  const { storage, workspace, now } = scope;
  const { key } = await find(scope, keyInput);
  const draft = { id: newId(now()), secret: generateSecret() };
  const stored = acceptedOf(key, await storage.insertSecret(workspace, key, draft));
  return { secret: stored.secret, ...toSecret(stored) };
}

export async function listSecrets(scope: Scope, keyInput: unknown): Promise<WebhookSecret[]> {
  return (await find(scope, keyInput)).secrets.map(toSecret);
}

export async function deleteSecret(scope: Scope, keyInput: unknown, idInput: unknown): Promise<void> {
  const { storage, workspace } = scope;
  const { key, id } = parse({ key: keyInput, id: idInput }, secretOfWebhookStruct);
  await find(scope, key);
  const deleted = isId(id) && (await storage.deleteSecret(workspace, key, id));
  if (typeof deleted === "object") acceptedOf(key, deleted);
  if (deleted !== true) throw new TrackerError("secret_not_found");
}

/** How the messages get on. */
export async function webhookStatus(scope: Scope, keyInput: unknown): Promise<WebhookStatus> {
  const row = await find(scope, keyInput);
  const { url, state, secrets } = row;
  const time = (at: number | null): string | null => (at === null ? null : formatTime(at));
  return {
    origin: originOf(url),
    state: stateOf(row),
    secrets: secrets.map(toSecret),
    lastTryAt: time(state.lastTryAt),
    lastStatus: state.lastStatus,
    lastError: state.lastError,
    lastSuccessAt: time(state.lastSuccessAt),
    pausedUntil: state.pausedUntil > row.now ? formatTime(state.pausedUntil) : null,
    downSince: time(state.downSince),
    nextProbeAt: state.downSince === null ? null : formatTime(state.nextProbeAt),
    disabledAt: time(state.disabledAt),
    disabledReason: state.disabledReason,
  };
}

function stateOf({ secrets, state, now }: WebhookRow): WebhookStatus["state"] {
  if (state.disabledAt !== null) return "disabled";
  if (secrets.length === 0) return "no_secret";
  if (state.downSince !== null) return "down";
  return turnAt(state, now, { pace: 1 }).kind === "none" ? "paused" : "delivering";
}

/** Lets the messages go on where they were. Throws `changes_expired` if some of them are no longer kept. */
export async function enableWebhook(scope: Scope, keyInput: unknown): Promise<void> {
  const { storage, workspace } = scope;
  const row = await find(scope, keyInput);
  // Takes as a delivery would, and gives back at once: it is refused if the next changes have expired.
  const request = { token: randomUUID(), leaseMs: 0, limit: 1, maxBytes: 1, isWebhook: true } as const;
  const taken = await storage.takeChanges(workspace, row.key, request);
  if ("refused" in taken && taken.refused.code === "changes_expired") {
    const message = "Changes that were not delivered are no longer kept. Call `resume` to go on without them.";
    throw new TrackerError("changes_expired", { message });
  }
  acceptedOf(row.key, taken);
  await createEndpoint(scope, row).change(enabled);
}

/** Sends a signed message of the type `webhook.test`. Its result changes nothing. */
export async function sendTest(scope: Scope, keyInput: unknown): Promise<WebhookTest> {
  const { url, secrets, key, now } = await find(scope, keyInput);
  if (secrets.length === 0) return { delivered: false, status: null, error: "The webhook has no secret." };
  const poster = createPoster({ allow: scope.webhookHosts ?? new Set() });
  try {
    const { status } = await poster.post(url, signed(testContent(randomUUID(), key, now), secrets, now));
    const result = resultOf(status, null, now);
    const delivered = result.kind === "delivered";
    return { delivered, status, error: delivered ? null : `The endpoint answered ${status}.` };
  } catch (error) {
    // The poster rejects only with errors that may be shown.
    return { delivered: false, status: null, error: (error as Error).message };
  } finally {
    poster.close();
  }
}

async function find({ storage, workspace }: Scope, keyInput: unknown): Promise<WebhookRow> {
  const key = parseKey(keyInput);
  const list = await storage.listDefinitions(workspace, "subscription", { maxAgeMs: 0 });
  const definition = list.find((row) => row.key === key);
  if (!definition) throw notDefined("subscription", key);
  const webhook = await storage.findWebhook(workspace, definition.id);
  if (!webhook) throw new TrackerError("definition_not_found", { message: "The subscription has no `url`." });
  return webhook;
}

function toSecret({ id, createdAt, endsAt }: SecretRow): WebhookSecret {
  return { id, createdAt: formatTime(createdAt), endsAt: endsAt === null ? null : formatTime(endsAt) };
}
