import { addSecret, signingSecrets, withoutSecret } from "../../lib/decisions/webhooks.ts";
import type { Refused, SubscriptionRow } from "../../lib/storage/rows.ts";
import type { SecretRow, WebhookRow, WebhookStorage } from "../../lib/storage/webhooks.ts";
import { assertNotClosed, definitionsOf, type State } from "./view.ts";

export function createWebhooks(state: State): WebhookStorage {
  function changeSecrets(
    workspace: string,
    key: string,
    change: (stored: readonly SecretRow[]) => readonly SecretRow[] | Refused,
  ): readonly SecretRow[] | Refused {
    assertNotClosed(state);
    const subscription = definitionsOf(state, workspace, "subscription").find((row) => row.key === key);
    const webhook = subscription && state.webhooks.get(subscription.id);
    if (!webhook) return { refused: { code: "definition_not_found" } };
    const secrets = change(webhook.secrets);
    if (!("refused" in secrets)) webhook.secrets = secrets;
    return secrets;
  }

  const listIn = (workspaces: readonly string[]): WebhookRow[] =>
    workspaces
      .filter((workspace) => !state.deletedAt.has(workspace))
      .flatMap((workspace) => definitionsOf(state, workspace, "subscription"))
      .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      .flatMap((row) => rowOf(state, row));

  return {
    async listWebhooks() {
      assertNotClosed(state);
      return listIn([...state.definitions.keys()]);
    },
    async findWebhook(workspace, subscriptionId) {
      assertNotClosed(state);
      return listIn([workspace]).find((row) => row.subscriptionId === subscriptionId) ?? null;
    },
    async putWebhookState(_, subscriptionId, version, replacement) {
      assertNotClosed(state);
      const webhook = state.webhooks.get(subscriptionId);
      if (webhook?.version !== version) return false;
      Object.assign(webhook, { state: { ...replacement }, version: version + 1 });
      return true;
    },
    async insertSecret(workspace, key, { id, secret }) {
      const secrets = changeSecrets(workspace, key, (stored) => addSecret(stored, { id, secret }, Date.now()));
      // The new secret is the first.
      return "refused" in secrets ? secrets : { ...secrets[0]! };
    },
    async deleteSecret(workspace, key, id) {
      let isFound = false;
      const secrets = changeSecrets(workspace, key, (stored) => {
        isFound = signingSecrets(stored, Date.now()).some((secret) => secret.id === id);
        return isFound ? withoutSecret(stored, id, Date.now()) : stored;
      });
      return "refused" in secrets ? secrets : isFound;
    },
  };
}

function rowOf({ webhooks }: State, { id, workspace, key, body }: SubscriptionRow): WebhookRow[] {
  const webhook = webhooks.get(id);
  const { url, concurrency } = body;
  if (!webhook || url === undefined || concurrency === undefined) return [];
  const now = Date.now();
  const secrets = signingSecrets(webhook.secrets, now).map((secret) => ({ ...secret }));
  const { state, version } = webhook;
  return [{ workspace, key, subscriptionId: id, url, concurrency, state: { ...state }, version, secrets, now }];
}
