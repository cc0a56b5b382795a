import { join } from "node:path";
import { generateApiKey } from "../../lib/api-keys.ts";
import { compareInRounds } from "./rounds.ts";
import { load, startService, type Service } from "./services.ts";

/**
 * whodid on memory recording events under Express and Fastify, against the same framework answering a constant 201:
 * `npm run bench -- mounts FOLDER` takes events.lua from the folder.
 */
export async function run(folder = "", connections = "64"): Promise<void> {
  const key = generateApiKey();
  const services: Service[] = [];
  const start = async (FRAMEWORK: string, ANSWERS: string): Promise<Service> => {
    const environment = { API_KEY: key, FRAMEWORK, ANSWERS };
    const script = join(import.meta.dirname, "mount-service.js");
    const service = await startService(script, 4111 + services.length, environment);
    services.push(service);
    return service;
  };
  const wanted = { key, connections: Number(connections), script: join(folder, "events.lua") };
  const measure = (service: Service) => () => load(service, wanted);
  try {
    for (const framework of ["express", "fastify"]) {
      const constant = measure(await start(framework, "constant"));
      const whodid = measure(await start(framework, "whodid"));
      await constant();
      await whodid();
      await compareInRounds(7, {
        [`${framework}, a constant 201`]: constant,
        [`${framework}, whodid`]: whodid,
      });
    }
  } finally {
    for (const service of services) service.process.kill("SIGKILL");
  }
}
