// The routes of the shop. whodid answers the page's element under /me.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import express, { type Express, type Request } from "express";
import { toListener } from "whodid/node";
import { visitors } from "whodid/visitors";
import type { ShopTracker } from "./definitions.ts";
import { isProduct, type Shop } from "./shop.ts";

export function createApp(tracker: ShopTracker, shop: Shop): Express {
  // Use the sessions of your own app instead: an email alone proves nothing.
  const sessions = new Map<string, string>();
  const identify = (request: unknown): string | null => {
    const [, session = ""] = /\bsession=([\w-]+)/.exec((request as Request).get("cookie") ?? "") ?? [];
    return sessions.get(session) ?? null;
  };
  const app = express();
  app.use("/me", toListener(visitors(tracker, { basePath: "/me", identify, events: ["product_viewed"] })));
  app.get("/", (_request, response) => response.sendFile(join(import.meta.dirname, "../../page.html")));
  app.use(express.urlencoded());
  app.post("/login", async (request, response) => {
    const session = randomUUID();
    sessions.set(session, await shop.logIn(String(request.body?.email)));
    response.cookie("session", session, { httpOnly: true, sameSite: "lax" }).redirect(303, "/");
  });
  app.use((request, response, next) => {
    response.locals["userId"] = identify(request);
    if (response.locals["userId"] === null) response.status(401).send("Log in first.");
    else next();
  });
  app.post("/orders", async (request, response) => {
    const product: unknown = request.body?.product;
    if (!isProduct(product)) return void response.status(400).send("There is no such tea.");
    await shop.order(response.locals["userId"], product);
    response.redirect(303, "/");
  });
  app.get("/account", async (_request, response) => {
    response.json(await shop.exportAccount(response.locals["userId"]));
  });
  app.post("/account/delete", async (_request, response) => {
    const { userId } = response.locals;
    await shop.deleteAccount(userId);
    for (const [session, id] of sessions) if (id === userId) sessions.delete(session);
    response.redirect(303, "/");
  });
  return app;
}
