import { join } from "node:path";
import {
  before,
  compareServices,
  hasWrk,
  kill,
  loadOnCores,
  startService,
  startWhodidWithContacts,
  warmUp,
} from "./services.ts";

/**
 * The server on memory recording events, authenticated, validated and limited, against a bare node:http server:
 * `npm run bench -- server FOLDER [CONNECTIONS]` takes bare.mjs and events.lua from the folder.
 */
export async function run(folder = "", counts = "1,64,256"): Promise<void> {
  const services = {
    "bare node:http": await startService(join(folder, "bare.mjs")),
    whodid: await startWhodidWithContacts(""),
    ...(before !== undefined && { "whodid before": await startWhodidWithContacts("", { of: before }) }),
  };
  const script = join(folder, "events.lua");
  for (const connections of counts.split(",").map(Number)) {
    console.log(`\n${connections} connections, by ${hasWrk ? "wrk" : "autocannon"}`);
    await warmUp(Object.values(services), connections);
    await compareServices(10, services, (service) => loadOnCores(service, null, { connections, script, seconds: 3 }));
  }
  kill(Object.values(services));
}
