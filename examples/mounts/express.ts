// Express 4 and 5, behind a body parser, the prefix stripped: both are as Express has them.
import express, { type Express } from "express";
import type { Tracker } from "whodid";
import { toListener } from "whodid/node";

export function createApp(tracker: Tracker): Express {
  const app = express();
  app.use(express.json());
  app.use("/api/v1", toListener(tracker));
  return app;
}
