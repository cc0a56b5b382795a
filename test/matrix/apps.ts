/** Every way of mounting that the matrix tries. The run compiles this beside the examples, where the frameworks are installed. */
import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import { getRequestListener } from "@hono/node-server";
import express5, { type RequestHandler } from "express";
import Koa from "koa";
import Fastify from "fastify";
import type next from "next";
import type { Tracker } from "whodid";
import { toListener } from "whodid/node";
import { createApp as createExpress } from "./examples/express.ts";
import { createApp as createFastify } from "./examples/fastify.ts";
import { createApp as createHono } from "./examples/hono.ts";
import { createApp as createKoa } from "./examples/koa.ts";
import { createApp as createNest } from "./examples/nestjs.ts";

/** What answers a server's requests, with the tracker mounted in it. */
export type Mount = (tracker: Tracker) => RequestListener | Promise<RequestListener>;

const require = createRequire(import.meta.url);
const express4 = require("express4") as typeof express5;
const createNext = require("next") as typeof next.default;

function inExpress(express: typeof express5, prefix: string, parsers: RequestHandler[], inRouter: boolean): Mount {
  return (tracker) => {
    const app = express();
    for (const parser of parsers) app.use(parser);
    const router = inRouter ? express.Router() : app;
    if (inRouter) app.use("/api", router);
    router.use(prefix, toListener(tracker));
    return app;
  };
}

function ofExpress(version: number, express: typeof express5): [string, Mount][] {
  const parsers = [express.json(), express.urlencoded({ extended: true })];
  return [
    [`Express ${version}`, inExpress(express, "/api/v1", [], false)],
    [`Express ${version}, at the root`, inExpress(express, "/", [], false)],
    [`Express ${version}, in a sub-router`, inExpress(express, "/v1", [], true)],
    [`Express ${version}, parsers`, inExpress(express, "/api/v1", parsers, false)],
    [`Express ${version}, parsers, at the root`, inExpress(express, "/", parsers, false)],
    [`Express ${version}, parsers, in a sub-router`, inExpress(express, "/v1", parsers, true)],
  ];
}

/** By name, as the README prints it. */
export const mounts: Record<string, Mount> = {
  ...Object.fromEntries([...ofExpress(4, express4), ...ofExpress(5, express5)]),
  "Express 5, the example": createExpress,
  "Fastify, its parser on": async (tracker) => {
    const app = createFastify(tracker);
    await app.ready();
    return app.routing;
  },
  "Fastify, its parser off": async (tracker) => {
    const app = Fastify();
    const listener = toListener(tracker);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    app.all("/api/v1/*", (request, reply) => {
      reply.hijack();
      return listener(request.raw, reply.raw);
    });
    await app.ready();
    return app.routing;
  },
  Koa: (tracker) => {
    const app = new Koa();
    const listener = toListener(tracker);
    app.use((context) => {
      context.respond = false;
      return listener(context.req, context.res);
    });
    return app.callback();
  },
  "Koa, @koa/bodyparser": (tracker) => createKoa(tracker).callback(),
  "Hono on @hono/node-server": (tracker) => getRequestListener(createHono(tracker).fetch),
  "NestJS on Express": async (tracker) => {
    const app = await createNest(tracker);
    await app.init();
    return app.getHttpAdapter().getInstance() as RequestListener;
  },
  "Next.js route handlers": nextMount(),
};

/** One application for all trackers: it is built once, and finds the tracker where its module keeps it. */
function nextMount(): Mount {
  let handler: Promise<RequestListener> | undefined;
  const kept = globalThis as { tracker?: Tracker };
  let current: Tracker;
  const start = async (): Promise<RequestListener> => {
    kept.tracker = { handle: (request: Request) => current.handle(request) } as Tracker;
    const app = createNext({
      dev: false,
      dir: new URL("../next", import.meta.url).pathname,
      httpServer: createServer(),
    });
    await app.prepare();
    return app.getRequestHandler();
  };
  return (tracker) => {
    current = tracker;
    return (handler ??= start());
  };
}
