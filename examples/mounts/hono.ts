// Hono, on any runtime: a Request in, a Response out.
import { Hono } from "hono";
import type { Tracker } from "whodid";

export function createApp(tracker: Tracker): Hono {
  const app = new Hono();
  app.all("/api/v1/*", (context) => tracker.handle(context.req.raw));
  return app;
}
