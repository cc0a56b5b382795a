import { setTimeout as sleep } from "node:timers/promises";
import { pick } from "../support/random.ts";
import { countOf, type Ledger } from "./ledger.ts";

/** Where a client sends, and with which key. */
export interface Target {
  /** Of the servers. */
  ports: number[];
  apiKey: string;
  /** How many texts of 4 KB every event carries beside what it is known by. */
  paddings: number;
  /** How many loops of each process record events of the contact that only few write. */
  contestedLoops: number;
}

interface Sent {
  /** What it counts as in the ledger's statuses. */
  name: string;
  path: string;
  body: object;
  idempotencyKey?: string;
}

interface Acknowledged {
  status: number;
  isReplay: boolean;
  json: { event: { id: string; eventKey: string; contactId: string; createdAt: string }; contact: { id: string } };
  tries: number;
}

/** What a client has seen so far. */
export interface Counts {
  /** How many requests each server has acknowledged, by port. */
  acknowledged: Record<number, number>;
  /** How many were answered otherwise. */
  refused: number;
}

/** A client that sends each request until it is acknowledged, to whichever server, and keeps a ledger. */
export interface Client {
  counts: Counts;
  /** Records a new event, now and then twice at once or once more afterwards. */
  recordEvent(name: string, externalId: string): Promise<void>;
  /** Posts the contact. */
  postContact(name: string, email: string, fields?: object): Promise<void>;
}

/** Longer than a server may take: waiting for a connection, a transaction and its COMMIT. */
const patienceMs = 30_000;
/** Much shorter than the `Retry-After` that a 503 asks for: this is a test. */
const pauseMs = 50;

const eventKeys = ["page_viewed", "signup_completed", "purchase_completed"];

export function createClient(clientName: string, { ports, apiKey, paddings }: Target, ledger: Ledger): Client {
  const counts: Counts = { acknowledged: Object.fromEntries(ports.map((port) => [port, 0])), refused: 0 };
  const padding = Object.fromEntries(Array.from({ length: paddings }, (_, n) => [`padding${n}`, "x".repeat(4_096)]));
  let events = 0;

  /** One try; `null` when the connection was refused or lost. */
  async function send(sent: Sent): Promise<Acknowledged | null> {
    const port = pick(ports);
    const answer = await ask(`http://127.0.0.1:${port}/api/v1${sent.path}`, apiKey, sent);
    if (answer === null) return null;
    if (answer === "late") {
      ledger.complaints.push(`${sent.name}: not answered within ${patienceMs} ms`);
      return null;
    }
    const { status, headers, text } = answer;
    const isMute = status === 503 && !(Number(headers.get("Retry-After")) >= 1);
    const counted = `${sent.name} ${status}${isMute ? " without Retry-After" : ""}`;
    ledger.statuses[counted] = countOf(ledger, counted) + 1;
    if (status !== 200 && status !== 201) {
      counts.refused++;
      return null;
    }
    counts.acknowledged[port]!++;
    const json = JSON.parse(text) as Acknowledged["json"];
    return { status, isReplay: headers.get("Idempotent-Replayed") === "true", json, tries: 1 };
  }

  async function sendUntilAcknowledged(sent: Sent): Promise<Acknowledged> {
    for (let tries = 1; ; tries++) {
      const answer = await send(sent);
      if (answer) return { ...answer, tries };
      await sleep(pauseMs);
    }
  }

  return {
    counts,
    async recordEvent(name, externalId) {
      const idempotencyKey = `${clientName}-${++events}`;
      const eventKey = pick(eventKeys);
      const body = { externalId, eventKey, properties: { sent: idempotencyKey, ...padding } };
      const sent = { name, path: "/events", body, idempotencyKey };
      const copies = isOneIn(8) ? [sent, sent] : [sent];
      const answers = await Promise.all(copies.map(sendUntilAcknowledged));
      if (isOneIn(8)) {
        const again = await sendUntilAcknowledged(sent);
        if (!again.isReplay) ledger.complaints.push(`${name}: a replay was not marked as one`);
        answers.push(again);
      }
      const [first, ...others] = answers.map(({ json }) => JSON.stringify(json));
      if (others.some((other) => other !== first)) ledger.complaints.push(`${name}: one key, different answers`);
      if (answers.filter(({ isReplay }) => !isReplay).length > 1) ledger.complaints.push(`${name}: new twice`);
      if (copies.length === 1 && answers[0]!.tries === 1 && answers[0]!.isReplay) {
        ledger.complaints.push(`${name}: what was asked once was answered as a replay`);
      }
      const { id, contactId, createdAt, eventKey: answeredKey } = answers[0]!.json.event;
      if (answeredKey !== eventKey) ledger.complaints.push(`${name}: answered with another eventKey`);
      ledger.events.push({ idempotencyKey, id, contactId, eventKey, createdAt });
    },
    async postContact(name, email, fields = {}) {
      const { status, json, tries } = await sendUntilAcknowledged({
        name,
        path: "/contacts",
        body: { email, ...fields },
      });
      ledger.contacts.push({ email, id: json.contact.id, created: status === 201, tries });
    },
  };
}

type Answer = { status: number; headers: Headers; text: string };

async function ask(url: string, apiKey: string, { body, idempotencyKey }: Sent): Promise<Answer | "late" | null> {
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    "Content-Type": "application/json",
    ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
  };
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return signal.aborted ? "late" : null;
  }
}

function isOneIn(n: number): boolean {
  return Math.random() < 1 / n;
}
