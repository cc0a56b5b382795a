import { setTimeout as sleep } from "node:timers/promises";
import { askOnce, authorized, openConnection, toText } from "../support/raw-connection.ts";
import { timeOf, type Figures } from "./rounds.ts";
import {
  before,
  compareServices,
  key,
  kill,
  load,
  startReference,
  startWhodidWithContacts,
  warmUp,
  type Service,
} from "./services.ts";

const connections = 256;

/**
 * When the last of 256 connections that come at once is answered, while 256 others record events on memory:
 * `npm run bench -- accepting FOLDER` takes bare.mjs from the folder.
 */
export async function run(folder = ""): Promise<void> {
  const services = {
    "bare node:http": await startReference(folder, "bare.mjs"),
    whodid: await startWhodidWithContacts(""),
    ...(before !== undefined && { "whodid before": await startWhodidWithContacts("", { of: before }) }),
  };
  await warmUp(Object.values(services), connections);
  await compareServices(7, services, accept);
  kill(Object.values(services));
}

async function accept(service: Service): Promise<Figures> {
  const busy = load(service, { connections, seconds: 6 });
  await sleep(1_500);
  const body = '{"externalId":"user1@example.com","eventKey":"page_viewed"}';
  const text = toText(authorized(key, { target: "/api/v1/events", body }));
  const port = Number(new URL(service.url).port);
  const ask = async (): Promise<void> => void (await askOnce(await openConnection(port), text));
  const ms = await timeOf(() => Promise.all(Array.from({ length: connections }, ask)));
  return { "ms until the last is answered": ms, ...(await busy) };
}
