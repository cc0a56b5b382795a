/** Every way of mounting that the matrix tries. The run compiles this beside the examples, where the frameworks are installed. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import { getRequestListener } from "@hono/node-server";
import { bodyParser } from "@koa/bodyparser";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import type next from "next";
import type { Tracker } from "whodid";
import { dashboard } from "whodid/dashboard";
import { toListener } from "whodid/node";
import { visitors } from "whodid/visitors";
import { createApp as createExpress } from "./examples/express.ts";
import { createApp as createFastify } from "./examples/fastify.ts";
import { createApp as createHono } from "./examples/hono.ts";
import { createApp as createKoa } from "./examples/koa.ts";
import { createApp as createNest } from "./examples/nestjs.ts";
import { createApp as createVisitors } from "./examples/visitors.ts";

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

/** The dashboard in each of them, at `/whodid`, for requests with the header `x-admin: yes`. */
export const dashboardMounts: Record<string, Mount> = mountsAt("/whodid", (tracker) =>
  dashboard(tracker, { basePath: "/whodid", authorize: (request) => headerOf(request, "x-admin") === "yes" }),
);

/** The routes of visitors in each of them, at `/me`, for the visitor in the header `x-user`. */
export const visitorMounts: Record<string, Mount> = {
  ...mountsAt("/me", (tracker) =>
    visitors(tracker, { basePath: "/me", identify: (request) => headerOf(request, "x-user"), events: ["step"] }),
  ),
  "Express, before a parser": createVisitors,
};

/** A part of whodid that is mounted beside the API: the dashboard, or the routes of visitors. */
type Part = Pick<Tracker, "handle">;

function mountsAt(path: string, partOf: (tracker: Tracker) => Part): Record<string, Mount> {
  return {
    "Express, before a parser": (tracker) => {
      const app = express();
      app.use(path, toListener(partOf(tracker)));
      app.use(express.json());
      return app;
    },
    "Express, behind a parser": (tracker) => {
      const app = express();
      app.use(express.json());
      app.use(path, toListener(partOf(tracker)));
      return app;
    },
    "Express 4, behind a parser": (tracker) => {
      const app = express4();
      app.use(express4.json());
      app.use(path, toListener(partOf(tracker)));
      return app;
    },
    Fastify: async (tracker) => {
      const app = Fastify();
      const listener = toListener(partOf(tracker));
      for (const route of [path, `${path}/*`]) {
        app.all(route, (request, reply) => {
          reply.hijack();
          return listener(request.raw, reply.raw, request.body);
        });
      }
      await app.ready();
      return app.routing;
    },
    Koa: (tracker) => {
      const app = new Koa();
      const listener = toListener(partOf(tracker));
      app.use(bodyParser());
      app.use((context) => {
        context.respond = false;
        return listener(context.req, context.res, context.request.body);
      });
      return app.callback();
    },
    Hono: (tracker) => {
      const app = new Hono();
      const { handle } = partOf(tracker);
      for (const route of [path, `${path}/*`]) app.all(route, (context) => handle(context.req.raw));
      return getRequestListener(app.fetch);
    },
    NestJS: async (tracker) => {
      const app = await createNest(tracker);
      app.use(path, toListener(partOf(tracker)));
      await app.init();
      return app.getHttpAdapter().getInstance() as RequestListener;
    },
    "Next.js": mounts["Next.js"]!,
  };
}

/** The header of what each host hands over: a `Request`, or what Node's or Express's has. */
function headerOf(request: unknown, name: string): string | null {
  const { headers } = request as Request | IncomingMessage;
  return (headers instanceof Headers ? headers.get(name) : headers[name]?.toString()) ?? null;
}

/** One application for all trackers: it is built once, and finds the tracker where its module keeps it. */
function nextMount(): Mount {
  let handler: Promise<RequestListener> | undefined;
  const kept = globalThis as { tracker?: Tracker };
  let current: Tracker;
  const start = async (): Promise<RequestListener> => {
    // The routes of the application keep the methods that they take: these must find the tracker of each case.
    const methodOf = (name: string | symbol) => Reflect.get(current, name) as (...given: unknown[]) => unknown;
    kept.tracker = new Proxy({} as Tracker, {
      get:
        (_, name) =>
        (...given: unknown[]) =>
          methodOf(name)(...given),
    });
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
