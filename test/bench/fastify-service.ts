/** The endpoints that the load asks, as one would write them with Fastify on a Map: a schema, an API key compared by its hash, a counter. */
import { createHash, randomUUID } from "node:crypto";
import Fastify from "fastify";

interface StoredContact {
  id: string;
  email: string;
  externalId: string;
  [field: string]: unknown;
}

interface NewEvent {
  externalId: string;
  eventKey: string;
  properties?: Record<string, unknown>;
}

const keyHash = hash(`Bearer ${process.env["API_KEY"]}`);
const limit = 1_000_000_000;
let window = { minute: 0, used: 0 };

const contacts = new Map<string, StoredContact>();
const events = new Map<string, object[]>();

const app = Fastify();

app.addHook("onRequest", async (request, reply) => {
  if (!hash(request.headers.authorization ?? "").equals(keyHash)) return reply.code(401).send({ success: false });
  const minute = Math.floor(Date.now() / 60_000);
  if (window.minute !== minute) window = { minute, used: 0 };
  window.used++;
  reply.headers({
    "X-RateLimit-Limit": limit,
    "X-RateLimit-Remaining": limit - window.used,
    "X-RateLimit-Reset": (minute + 1) * 60,
  });
  return undefined;
});

const text = { type: "string", minLength: 1, maxLength: 255 };
const newContact = {
  type: "object",
  required: ["email"],
  properties: {
    email: { type: "string", maxLength: 254 },
    externalId: text,
    name: { type: "string", maxLength: 1_000 },
  },
};
const scalar = { type: ["string", "number", "boolean"], maxLength: 4_096 };
const newEvent = {
  type: "object",
  required: ["externalId", "eventKey"],
  additionalProperties: false,
  properties: { externalId: text, eventKey: text, properties: { type: "object", additionalProperties: scalar } },
};

app.post<{ Body: StoredContact }>("/api/v1/contacts", { schema: { body: newContact } }, async ({ body }, reply) => {
  const externalId = body.externalId ?? body.email;
  const before = contacts.get(externalId);
  const contact = { ...before, ...body, externalId, id: before?.id ?? randomUUID() };
  contacts.set(externalId, contact);
  reply.code(before ? 200 : 201);
  return { success: true, contact };
});

app.post<{ Body: NewEvent }>("/api/v1/events", { schema: { body: newEvent } }, async ({ body }, reply) => {
  const contact = contacts.get(body.externalId);
  if (!contact) return reply.code(404).send({ success: false });
  const event = {
    id: randomUUID(),
    eventKey: body.eventKey,
    contactId: contact.id,
    createdAt: new Date().toISOString(),
  };
  const stored = { ...event, properties: body.properties };
  const list = events.get(contact.externalId);
  if (list) list.push(stored);
  else events.set(contact.externalId, [stored]);
  reply.code(201);
  return { success: true, event, completedChecklistItems: [] };
});

function hash(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}

await app.listen({ port: Number(process.env["PORT"]), host: "127.0.0.1" });
console.log("ready");
