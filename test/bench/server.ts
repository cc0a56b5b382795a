import { join } from "node:path";
import { generateApiKey } from "../../lib/api-keys.ts";
import { compareInRounds } from "./rounds.ts";
import { hasWrk, load, makeContacts, startService } from "./services.ts";

/**
 * The server on memory recording events, authenticated, validated and limited, against a bare node:http server and the same
 * endpoints on Fastify: `npm run bench -- server FOLDER` takes bare.mjs and events.lua from the folder.
 */
export async function run(folder = "", connections = "64"): Promise<void> {
  const key = generateApiKey();
  const dist = join(import.meta.dirname, "../..");
  const whodidSettings = { API_KEY: key, RATE_LIMIT: "1000000000", DATABASE_URL: "", PROVISION: "" };
  const bare = await startService(join(folder, "bare.mjs"), 4101, {});
  const whodid = await startService(join(dist, "server/main.js"), 4102, whodidSettings);
  const fastify = await startService(join(dist, "test/bench/fastify-service.js"), 4103, { API_KEY: key });
  try {
    await makeContacts(whodid, key);
    await makeContacts(fastify, key);
    console.log(`${connections} connections, by ${hasWrk ? "wrk" : "autocannon"}`);
    const measure = (service: typeof bare) => () =>
      load(service, { key, connections: Number(connections), script: join(folder, "events.lua") });
    await measure(whodid)();
    await compareInRounds(5, {
      "bare node:http": measure(bare),
      whodid: measure(whodid),
      "Fastify on a Map": measure(fastify),
    });
  } finally {
    for (const service of [bare, whodid, fastify]) service.process.kill("SIGKILL");
  }
}
