import { createServer, type Server } from "node:http";
import type { Sample, Samples } from "../adapters/metrics/text.ts";
import { causeOf } from "../lib/health.ts";
import { pathOf } from "../lib/http/paths.ts";
import type { Answer } from "../lib/http/answer.ts";
import { ok, statusOf } from "../lib/http/statuses.ts";

/** Counts the server's requests. */
export interface Metrics {
  /** `route` is the pattern of a route, never a received path: each path would make a series of its own. */
  count(method: string, route: string, answer: Pick<Answer, "status" | "thrown">, seconds: number): void;
  samples(): Samples;
}

/** Upper bounds of the histogram, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity];

interface Series {
  labels: { method: string; route: string };
  statuses: Map<number, number>;
  /** The number of requests that took at most this bound, and longer than the previous one. */
  buckets: number[];
  seconds: number;
}

export function createMetrics(): Metrics {
  /** Keyed by route, then by method. Joining both into one key for each request would cost more than the counting. */
  const series = new Map<string, Map<string, Series>>();
  const unavailable = new Map<string, number>();
  const seriesOf = (method: string, route: string): Series => {
    const ofRoute = series.get(route) ?? new Map<string, Series>();
    const counted = ofRoute.get(method) ?? {
      labels: { method, route },
      statuses: new Map(),
      buckets: bounds.map(() => 0),
      seconds: 0,
    };
    series.set(route, ofRoute.set(method, counted));
    return counted;
  };
  return {
    count(method, route, { status, thrown }, seconds) {
      const counted = seriesOf(method, route);
      increase(counted.statuses, status);
      // The last bound is infinite, so every time is in a bucket.
      counted.buckets[bounds.findIndex((bound) => seconds <= bound)]!++;
      counted.seconds += seconds;
      if (thrown !== undefined && status === statusOf("storage_unavailable")) increase(unavailable, causeOf(thrown));
    },
    samples() {
      const all = [...series.values()].flatMap((ofRoute) => [...ofRoute.values()]);
      const answered = all.flatMap(({ labels, statuses }) =>
        Array.from(statuses, ([status, count]): Sample => [{ ...labels, status }, count]),
      );
      const limited = answered.filter(([{ status }]) => status === statusOf("rate_limited"));
      return {
        whodid_requests_total: answered,
        whodid_rate_limited_total: [[{}, limited.reduce((sum, [, count]) => sum + count, 0)]],
        whodid_request_seconds: all.flatMap(histogramOf),
        whodid_unavailable_total: Array.from(unavailable, ([cause, count]) => [{ cause }, count]),
      };
    },
  };
}

/** Makes a server that answers `/metrics` with the text. `toText` must not reject. */
export function createMetricsServer(toText: () => Promise<string>): Server {
  return createServer((request, response) => {
    if (pathOf(request.url ?? "/") !== "/metrics") return response.writeHead(statusOf("route_not_found")).end();
    const headers = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" };
    return void toText().then((text) => response.writeHead(ok, headers).end(text));
  });
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function histogramOf({ labels, buckets, seconds }: Series): Sample[] {
  let count = 0;
  const samples = bounds.map((bound, index): Sample => {
    // There is a bucket for each bound.
    count += buckets[index]!;
    return [{ ...labels, le: bound === Infinity ? "+Inf" : bound }, count, "_bucket"];
  });
  return [...samples, [labels, seconds, "_sum"], [labels, count, "_count"]];
}
