/** Calls a misbehaving proxy, whose URL is the argument, in each of its ways. Prints how each call ended, and ends by itself. */
import { createClient } from "../../../lib/client/index.ts";
import { heavyWays, listWays, ways } from "./misbehaving-proxy.ts";

/** How calls ended: the codes of their refusals. */
export type Ends = Record<string, string[]>;

const event = { externalId: "u_1", eventKey: "bought" };
const all = Object.keys({ ...ways, ...listWays, ...heavyWays });
const ends: Ends = {};

async function call(way: string): Promise<void> {
  const url = `${process.argv[2]}/${all.indexOf(way)}`;
  const client = createClient({ url, key: "sk_test", maxWaitMs: 8_000 });
  const codes: string[] = [];
  const tell = (error: unknown): void => void codes.push(String((error as { code?: string }).code ?? error));
  const ending = Object.hasOwn(listWays, way)
    ? client.events.trackMany([event, event], (result) => (result.ok ? codes.push("ok") : tell(result.error)))
    : client.events.track(event).then(() => codes.push("ok"));
  await ending.catch(tell);
  ends[way] = codes;
}

await Promise.all(Object.keys({ ...ways, ...listWays }).map(call));
for (const way of Object.keys(heavyWays)) await call(way);
console.log(JSON.stringify(ends));
