import { TrackerError } from "../lib/model/errors.ts";
import { errorAnswer, notAllowed, textAnswer, type Answer } from "../lib/http/answer.ts";
import type { Call } from "../lib/http/respond.ts";
import type { RouteOf } from "./observer.ts";
import type { VisitorsOptions } from "./visitors/index.ts";

export const demoPath = "/demo";
const visitorsPath: string = `${demoPath}/me`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Planets, a demo of whodid</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${demoPath}/style.css">
<script type="module" src="${demoPath}/page.js"></script>
</head>
<body>
<main>
<h1>Planets</h1>
<p>Planets is an invented app, and you are its new user, Guest. Use it, and see your checklist fill. The
<a href="/dashboard#/contacts/guest">dashboard</a> shows the same.</p>
<p class="deeds">
<button type="button" id="verify" data-event="email_verified">Verify your email</button>
<button type="button" id="project" data-event="project_created">Create a project</button>
<button type="button" id="invite" data-event="teammate_invited">Invite a teammate</button>
</p>
<p id="said" role="status"></p>
<whodid-checklist src="${visitorsPath}" checklist="onboarding">The checklist cannot be shown now.</whodid-checklist>
</main>
</body>
</html>
`;

const script = `import { createVisitor } from "${visitorsPath}/whodid.js";
const visitor = createVisitor({ src: "${visitorsPath}" });
const said = document.getElementById("said");
for (const button of document.querySelectorAll("[data-event]")) {
  button.addEventListener("click", () => {
    visitor.track(button.dataset.event);
    said.textContent = "The page records " + button.dataset.event + ".";
  });
}
document.addEventListener("whodid-complete", ({ detail: { name, progress } }) => {
  said.textContent = name + ": done, " + progress.completed + " of " + progress.total + ".";
});
document.addEventListener("whodid-dismiss", () => {
  said.textContent = "You can restore a dismissed checklist on your page in the dashboard.";
});
`;

const style = `body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 1rem; }
.deeds { display: flex; flex-wrap: wrap; gap: .5rem; }
.deeds button { font: inherit; padding: .5rem 1rem; }
#said { min-height: 1.5em; }
`;

const files: Readonly<Record<string, Answer>> = {
  [demoPath]: textAnswer(page, "text/html"),
  [`${demoPath}/page.js`]: textAnswer(script, "text/javascript"),
  [`${demoPath}/style.css`]: textAnswer(style, "text/css"),
};

/** The routes for Guest, the only user of the invented app. */
export const demoVisitors: VisitorsOptions = {
  basePath: visitorsPath,
  identify: () => "guest",
  create: () => ({ email: "guest@example.com", name: "Guest", signedUpAt: new Date() }),
  checklists: ["onboarding"],
  events: ["email_verified", "project_created", "teammate_invited"],
};

/** Answers the files of the page of the invented app. */
export async function answerDemo(call: Call): Promise<Answer> {
  const file = files[call.path.replace(/\/$/, "")];
  if (!file) return errorAnswer(new TrackerError("route_not_found"));
  if (call.method !== "GET" && call.method !== "HEAD") return notAllowed(["GET", "HEAD"]);
  const headers = file.headers.concat(["Content-Security-Policy", "default-src 'self'; img-src data:"]);
  return { ...file, headers, body: call.method === "HEAD" ? "" : file.body };
}

/** The path of a file of the page. */
export const demoRouteOf: RouteOf = ({ path }) => (Object.hasOwn(files, path) ? path : "none");
