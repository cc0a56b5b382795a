import { join } from "node:path";
import type { Figures } from "./rounds.ts";
import { compareServices, kill, load, startService, type Service } from "./services.ts";

/**
 * whodid on memory recording events under Express and Fastify, against the same framework answering a constant 201:
 * `npm run bench -- mounts FOLDER` takes events.lua from the folder.
 */
export async function run(folder = "", connections = "64"): Promise<void> {
  const start = (framework: string, answers: string): Promise<Service> =>
    startService(join(import.meta.dirname, "mount-service.js"), { FRAMEWORK: framework, ANSWERS: answers });
  const measure = (service: Service): Promise<Figures> =>
    load(service, { connections: Number(connections), script: join(folder, "events.lua") });
  for (const framework of ["express", "fastify"]) {
    const services = {
      [`${framework}, a constant 201`]: await start(framework, "constant"),
      [`${framework}, whodid`]: await start(framework, "whodid"),
    };
    for (const service of Object.values(services)) await measure(service);
    await compareServices(7, services, measure);
    kill(Object.values(services));
  }
}
