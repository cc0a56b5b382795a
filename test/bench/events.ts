/** What `events.lua` beside the source sends and prints, by autocannon, for who has no `wrk`. */
import { createRequire } from "node:module";

interface Request {
  headers: Record<string, string>;
  body: string;
}

interface Result {
  errors: number;
  non2xx: number;
  requests: { average: number };
  latency: { p50: number; p99: number };
}

// It ships no types.
const autocannon = createRequire(import.meta.url)("autocannon") as (options: object) => Promise<Result>;

const keys = ["signup_completed", "page_viewed", "purchase_completed", "report_created", "feature_used"];
const { KEY, URL: url, CONNECTIONS, SECONDS, FIRST_CONTACT = "0", LAST_CONTACT = "9999", KEYED_BY } = process.env;
const first = Number(FIRST_CONTACT);
let sent = 0;

const result = await autocannon({
  url,
  connections: Number(CONNECTIONS),
  duration: Number(SECONDS),
  requests: [
    {
      method: "POST",
      path: "/api/v1/events",
      setupRequest(request: Request): Request {
        const contact = first + Math.floor(Math.random() * (Number(LAST_CONTACT) + 1 - first));
        const headers: Record<string, string> = { "content-type": "application/json", authorization: `Bearer ${KEY}` };
        if (KEYED_BY) headers["idempotency-key"] = `${KEYED_BY}-${sent++}`;
        const body = `{"externalId":"user${contact}@example.com","eventKey":"${keys[Math.floor(Math.random() * 5)]}","properties":{"plan":"pro","amount":42.5,"trial":false}}`;
        return { ...request, headers, body };
      },
    },
  ],
});
console.log(
  `RESULT ${result.requests.average} ${result.latency.p50} ${result.latency.p99} ${result.errors + result.non2xx}`,
);
