/** Every way of mounting that the matrix tries. The run compiles this beside the examples, where the frameworks are installed. */
import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import { getRequestListener } from "@hono/node-server";
import express from "express";
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
const express4 = require("express4") as typeof express;
const createNext = require("next") as typeof next.default;

/** By the names that own-answers.json and README.md have for them. */
export const mounts: Record<string, Mount> = {
  "Express, before a parser": (tracker) => {
    const app = express();
    app.use("/api/v1", toListener(tracker));
    app.use(express.json());
    return app;
  },
  "Express, behind a parser": createExpress,
  "Express 4, behind a parser": (tracker) => {
    const app = express4();
    app.use(express4.json());
    app.use("/api/v1", toListener(tracker));
    return app;
  },
  Fastify: async (tracker) => {
    const app = createFastify(tracker);
    await app.ready();
    return app.routing;
  },
  Koa: (tracker) => createKoa(tracker).callback(),
  Hono: (tracker) => getRequestListener(createHono(tracker).fetch),
  NestJS: async (tracker) => {
    const app = await createNest(tracker);
    await app.init();
    return app.getHttpAdapter().getInstance() as RequestListener;
  },
  "Next.js": nextMount(),
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
