/** A framework with whodid mounted in it, or answering a constant 201 after its own parsing of the JSON. */
import express from "express";
import Fastify from "fastify";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { toListener } from "../../adapters/node-http.ts";
import { addApiKey } from "../../lib/api-keys.ts";
import { createTracker } from "../../lib/index.ts";

const { PORT: port, API_KEY: key = "", FRAMEWORK: framework, ANSWERS: answers } = process.env;
const constant =
  '{"success":true,"event":{"id":"0199d3a0-0000-7000-8000-000000000000","eventKey":"page_viewed","contactId":"0199d3a0-0000-7000-8000-000000000001","createdAt":"2026-11-20T10:00:00.123Z"},"completedChecklistItems":[]}';

const storage = memoryStorage();
const tracker = createTracker({ storage, rateLimit: { requests: 1_000_000_000, perSeconds: 60 } });
await addApiKey({ storage, workspace: "default", now: Date.now }, key, "bench");
for (let n = 0; n < 10_000; n++) await tracker.contacts.upsert({ email: `user${n}@example.com` });
const listener = toListener(tracker);

if (framework === "express") {
  const app = express();
  app.use(express.json());
  if (answers === "whodid") app.use("/api/v1", listener);
  else app.post("/api/v1/events", (_request, response) => void response.status(201).type("json").send(constant));
  app.listen(Number(port), "127.0.0.1", () => console.log("ready"));
} else {
  const app = Fastify();
  app.all("/api/v1/*", (request, reply) => {
    if (answers !== "whodid") return reply.code(201).type("application/json").send(constant);
    reply.hijack();
    return listener(request.raw, reply.raw, request.body);
  });
  await app.listen({ port: Number(port), host: "127.0.0.1" });
  console.log("ready");
}
