import { join } from "node:path";
import {
  compareServices,
  hasWrk,
  kill,
  load,
  makeContacts,
  startService,
  startWhodid,
  type Service,
} from "./services.ts";
import type { Figures } from "./rounds.ts";

/**
 * The server on memory recording events, authenticated, validated and limited, against a bare node:http server and the same
 * endpoints on Fastify: `npm run bench -- server FOLDER` takes bare.mjs and events.lua from the folder.
 */
export async function run(folder = "", connections = "64"): Promise<void> {
  const services = {
    "bare node:http": await startService(join(folder, "bare.mjs")),
    whodid: await startWhodid(""),
    "Fastify on a Map": await startService(join(import.meta.dirname, "fastify-service.js")),
  };
  await makeContacts(services.whodid);
  await makeContacts(services["Fastify on a Map"]);
  console.log(`${connections} connections, by ${hasWrk ? "wrk" : "autocannon"}`);
  const measure = (service: Service): Promise<Figures> =>
    load(service, { connections: Number(connections), script: join(folder, "events.lua") });
  await measure(services.whodid);
  await compareServices(5, services, measure);
  kill(Object.values(services));
}
