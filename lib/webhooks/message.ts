/** The messages of webhooks, as Standard Webhooks has them: https://www.standardwebhooks.com */
import { createHmac, randomBytes } from "node:crypto";
import type { Change } from "../model/change-types.ts";
import { formatTime } from "../model/times.ts";
import type { SecretRow } from "../storage/webhooks.ts";
import type { Message } from "./post.ts";

const prefix = "whsec_";

export function generateSecret(): string {
  return `${prefix}${randomBytes(32).toString("base64")}`;
}

/** The parts of a message. A later try has the same id. */
export interface Content {
  id: string;
  body: string;
}

export function contentOf(change: Change): Content {
  return contentFrom(change.id, change.kind.replace("_", "."), change.at, change);
}

export function testContent(id: string, key: string, now: number): Content {
  return contentFrom(id, "webhook.test", formatTime(now), { subscription: key });
}

function contentFrom(id: string, type: string, timestamp: string, data: object): Content {
  return { id, body: JSON.stringify({ type, timestamp, data }) };
}

/** Signs the bytes that are sent, with each secret. `now` is the time of the try, in milliseconds. */
export function signed({ id, body }: Content, secrets: readonly SecretRow[], now: number): Message {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = secrets.map(({ secret }) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
  return { headers, body };
}
