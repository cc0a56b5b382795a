// The checklist of each user in an Express app: `visitors`, and two lines of HTML.
import express, { type Express } from "express";
import type { Tracker } from "whodid";
import { toListener } from "whodid/node";
import { visitors } from "whodid/visitors";

export function createApp(tracker: Tracker): Express {
  const app = express();
  app.use("/me", toListener(visitors(tracker, { basePath: "/me", identify: userIdOf, events: ["step"] })));
  app.get("/", (_request, response) => {
    response.set("Content-Security-Policy", "default-src 'self'").send(page);
  });
  return app;
}

// Replace this with the id of your own session's user.
function userIdOf(request: unknown): string | null {
  return (request as express.Request).get("x-user") ?? null;
}

const page = `<!doctype html>
<html lang="en">
<title>An app</title>
<script type="module" src="/me/whodid.js"></script>
<whodid-checklist src="/me" checklist="onboarding"></whodid-checklist>
</html>`;
