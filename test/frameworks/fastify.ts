import assert from "node:assert/strict";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { toListener } from "../../adapters/node-http.ts";
import { createTracker } from "../../lib/index.ts";
import { suite } from "../support/suite.ts";

suite("the listener in Fastify, whose own parser has read the body", (test) => {
  for (const [how, status, code, hand] of [
    ["reads the body that is handed over", 201, undefined, (request: FastifyRequest) => request.body],
    ["answers 400 where it is not, and names the line to add", 400, "malformed_json", () => undefined],
  ] as const) {
    test(how, async () => {
      const tracker = createTracker({ storage: memoryStorage() });
      const { key } = await tracker.apiKeys.create({ name: "test" });
      const listener = toListener(tracker);
      const app = Fastify();
      app.all("/api/v1/*", (request: FastifyRequest, reply: FastifyReply) => {
        reply.hijack();
        return listener(request.raw, reply.raw, hand(request));
      });
      try {
        const url = await app.listen({ port: 0, host: "127.0.0.1" });
        const response = await fetch(`${url}/api/v1/contacts`, {
          method: "POST",
          headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
          body: '{"email":"ada@example.com"}',
        });
        const { error } = (await response.json()) as { error?: { code: string; message: string } };
        assert.deepEqual([response.status, error?.code], [status, code]);
        if (error) assert.match(error.message, /call `listener\(request, response, body\)`/);
      } finally {
        await app.close();
      }
    });
  }
});
