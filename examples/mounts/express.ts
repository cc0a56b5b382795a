// Express 4 and 5, behind a body parser. Express strips the prefix from the path, and the listener finds its routes all the same.
import express, { type Express } from "express";
import type { Tracker } from "whodid";
import { toListener } from "whodid/node";

export function createApp(tracker: Tracker): Express {
  const app = express();
  app.use(express.json());
  app.use("/api/v1", toListener(tracker));
  return app;
}
