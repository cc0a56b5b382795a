// Koa, behind its body parser, which keeps the body elsewhere than on Node's request: it is handed over.
import { bodyParser } from "@koa/bodyparser";
import Koa from "koa";
import type { Tracker } from "whodid";
import { toListener } from "whodid/node";

export function createApp(tracker: Tracker): Koa {
  const app = new Koa();
  const listener = toListener(tracker);
  app.use(bodyParser());
  app.use((context, next) => {
    if (!context.path.startsWith("/api/v1/")) return next();
    context.respond = false;
    return listener(context.req, context.res, context.request.body);
  });
  return app;
}
