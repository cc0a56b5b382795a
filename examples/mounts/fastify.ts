// Fastify. Its own parser has read the body, so the listener takes the parsed body.
import Fastify, { type FastifyInstance } from "fastify";
import type { Tracker } from "whodid";
import { toListener } from "whodid/node";

export function createApp(tracker: Tracker): FastifyInstance {
  const app = Fastify();
  const listener = toListener(tracker);
  app.all("/api/v1/*", (request, reply) => {
    reply.hijack();
    return listener(request.raw, reply.raw, request.body);
  });
  return app;
}
