/** A process that records events through the library, some at once, and prints how many a second and how long they took. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Adapter from "../../adapters/mysql/index.ts";
import type * as Library from "../../lib/index.ts";
import { percentile } from "./rounds.ts";

const { CHECKOUT = "", DATABASE_URL = "", FIRST_CONTACT, LAST_CONTACT, AT_ONCE, SECONDS } = process.env;
const from = async <Module>(file: string): Promise<Module> =>
  (await import(pathToFileURL(join(CHECKOUT, "dist", file)).href)) as Module;
const { mysqlStorage } = await from<typeof Adapter>("adapters/mysql/index.js");
const { createTracker } = await from<typeof Library>("lib/index.js");

const tracker = createTracker({ storage: mysqlStorage(DATABASE_URL) });
const [first, last] = [Number(FIRST_CONTACT), Number(LAST_CONTACT)];
const waits: number[] = [];

async function write(until: number): Promise<void> {
  while (performance.now() < until) {
    const begun = performance.now();
    const contact = first + Math.floor(Math.random() * (last + 1 - first));
    await tracker.events.track({ externalId: `user${contact}@example.com`, eventKey: "page_viewed" });
    waits.push(performance.now() - begun);
  }
}

/** What has been compiled by then is what runs later. */
await tracker.events.track({ externalId: `user${first}@example.com`, eventKey: "page_viewed" });
const until = performance.now() + Number(SECONDS) * 1_000;
await Promise.all(Array.from({ length: Number(AT_ONCE) }, () => write(until)));
console.log(JSON.stringify({ perSecond: waits.length / Number(SECONDS), p99: percentile(waits, 0.99) }));
await tracker.close();
