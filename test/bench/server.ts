import { join } from "node:path";
import {
  compareServices,
  hasWrk,
  kill,
  load,
  startService,
  startWhodidWithContacts,
  type Service,
} from "./services.ts";
import type { Figures } from "./rounds.ts";

/**
 * The server on memory recording events, authenticated, validated and limited, against a bare node:http server:
 * `npm run bench -- server FOLDER` takes bare.mjs and events.lua from the folder.
 */
export async function run(folder = "", connections = "64"): Promise<void> {
  const services = {
    "bare node:http": await startService(join(folder, "bare.mjs")),
    whodid: await startWhodidWithContacts(""),
  };
  console.log(`${connections} connections, by ${hasWrk ? "wrk" : "autocannon"}`);
  const measure = (service: Service): Promise<Figures> =>
    load(service, { connections: Number(connections), script: join(folder, "events.lua") });
  await measure(services.whodid);
  await compareServices(5, services, measure);
  kill(Object.values(services));
}
