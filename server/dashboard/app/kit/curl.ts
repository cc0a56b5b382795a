import { isStandalone } from "../session.ts";

/** A command to paste that sends a body to a route of the API, with an API key. */
export function curlOf(method: "POST" | "PUT", path: string, body: object): string {
  const base = `${isStandalone ? location.origin : "https://your.app"}/api/v1`;
  // A shell would end the text at an apostrophe.
  const json = JSON.stringify(body).replaceAll("'", "\\u0027");
  return `curl -s -X ${method} ${base}${path} \\
  -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' \\
  -d '${json}'`;
}

/** The commands that make the first contact, and record its first event. */
export const firstContact: string = curlOf("POST", "/contacts", { email: "ada@example.com" });
export const firstEvent: string = curlOf("POST", "/events", {
  externalId: "ada@example.com",
  eventKey: "signup_completed",
});
