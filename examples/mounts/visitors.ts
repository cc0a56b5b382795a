// The checklist of each user in an Express app: `visitors`, and two lines of HTML. Replace the header by your own session.
import express, { type Express } from "express";
import type { Tracker } from "whodid";
import { toListener } from "whodid/node";
import { visitors } from "whodid/visitors";

export function createApp(tracker: Tracker): Express {
  const app = express();
  const identify = (request: unknown) => (request as express.Request).get("x-user") ?? null;
  const door = visitors(tracker, { basePath: "/me", identify, events: ["step"] });
  app.use("/me", toListener(door));
  app.get("/", (_request, response) => {
    response.set("Content-Security-Policy", "default-src 'self'").send(page);
  });
  return app;
}

const page = `<!doctype html>
<html lang="en">
<title>An app</title>
<script type="module" src="/me/whodid.js"></script>
<whodid-checklist src="/me" checklist="onboarding"></whodid-checklist>
</html>`;
