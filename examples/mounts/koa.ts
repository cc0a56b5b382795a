// Koa, behind its body parser. The parser does not put the body on Node's request, so the listener takes it as an argument.
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
