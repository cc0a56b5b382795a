import { addSecret, withoutSecret } from "../../../lib/decisions/webhooks.ts";
import type { Refused } from "../../../lib/storage/results.ts";
import type { SecretRow, WebhookStorage } from "../../../lib/storage/webhooks.ts";
import { findSubscription } from "../changes/index.ts";
import { toSecret, toWebhooks, webhookStatements as sql } from "../sql/index.ts";
import { assertCaughtUp, writeOne, type OwnRunner, type Work } from "../transactions/index.ts";

const noWebhook: Refused = { refused: { code: "definition_not_found" } };

export function createWebhooks(runner: OwnRunner): WebhookStorage {
  /** Replaces the secrets, under the lock of their webhook. */
  async function changeSecrets(
    work: Work<string>,
    workspace: string,
    key: string,
    change: (stored: readonly SecretRow[], now: number) => readonly SecretRow[] | Refused,
  ): Promise<readonly SecretRow[] | Refused> {
    // A lagging node may show a subscription that was replaced, or a secret that was deleted.
    assertCaughtUp(work);
    const found = await findSubscription(work, workspace, key);
    if ("refused" in found) return found;
    const { subscriptionId, url } = found;
    const [locked] = url === undefined ? [] : await work.rows(sql.lockWebhook(subscriptionId));
    // The subscription is none with a URL, or was deleted meanwhile.
    if (!locked) return noWebhook;
    const now = Number(locked.now);
    const stored = (await work.rows(sql.listSecrets(subscriptionId))).map(toSecret);
    const secrets = change(stored, now);
    if ("refused" in secrets) return secrets;
    await work.write(sql.deleteOtherSecrets(subscriptionId, secrets));
    for (const secret of secrets) await work.write(sql.putSecret(subscriptionId, secret));
    return secrets;
  }

  return {
    listWebhooks: () => runner.read(async (work) => toWebhooks(await work.rows(sql.listWebhooks))),
    findWebhook: (_, subscriptionId) =>
      runner.read(async (work) => {
        // A lagging node may show a URL that was replaced, or secrets that were deleted.
        assertCaughtUp(work);
        const [webhook = null] = toWebhooks(await work.rows(sql.findWebhook(subscriptionId)));
        return webhook;
      }),
    putWebhookState: (_, subscriptionId, version, state) =>
      writeOne(runner, state, async (work, copy) => {
        const isStored = (await work.write(sql.putWebhookState(subscriptionId, version, copy))) > 0;
        if (!isStored) assertCaughtUp(work);
        return isStored;
      }),
    insertSecret: (workspace, key, draft) =>
      writeOne(runner, draft, async (work: Work<string>, copy) => {
        const secrets = await changeSecrets(work, workspace, key, (stored, now) => {
          // An earlier try has stored it.
          const standing = stored.some(({ id }) => id === copy.id);
          return standing ? stored : addSecret(stored, copy, now);
        });
        // The secret is among those that were stored.
        return "refused" in secrets ? secrets : secrets.find(({ id }) => id === copy.id)!;
      }),
    deleteSecret: (workspace, key, id) =>
      writeOne(runner, null, async (work: Work<string>) => {
        let isFound = work.intended === id;
        const secrets = await changeSecrets(work, workspace, key, (stored, now) => {
          const left = withoutSecret(stored, id, now);
          isFound ||= stored.some((secret) => secret.id === id && (secret.endsAt === null || secret.endsAt > now));
          if (isFound) work.intend(id);
          return isFound ? left : stored;
        });
        return "refused" in secrets ? secrets : isFound;
      }),
  };
}
