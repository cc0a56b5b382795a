import { once } from "node:events";
import { Agent, createServer, request, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { toListener } from "../../adapters/node-http.ts";
import { createTracker, type Storage, type Tracker } from "../../lib/index.ts";
import { documented, type DoorAnswer, type DoorCall, type OpenDoor } from "./door.ts";

/** Doors over a socket, each a node:http server of its own on a storage of its own, and whatever the tracker is mounted in. By default each answer is held to the OpenAPI document. */
export function openOverSocket(
  open: () => Promise<{ storage: Storage; dispose(): Promise<void> }>,
  mount: (tracker: Tracker) => RequestListener | Promise<RequestListener> = toListener,
  holdTo: typeof documented = documented,
): OpenDoor {
  return async (options = {}) => {
    const { storage, dispose } = await open();
    const tracker = createTracker({ ...options, storage });
    const server = createServer(await mount(tracker));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true });
    return {
      tracker,
      send: holdTo((call) => sendTo(port, agent, call), options.basePath),
      async close() {
        agent.destroy();
        server.close();
        server.closeAllConnections();
        await tracker.close();
        await dispose();
      },
    };
  };
}

const answeredWithinMs = 10_000;

/** By node:http, which leaves the path as it is; `fetch` would mend it on the way. */
async function sendTo(port: number, agent: Agent, call: DoorCall): Promise<DoorAnswer> {
  const { method, path, headers = {}, body } = call;
  const signal = AbortSignal.any([AbortSignal.timeout(answeredWithinMs), call.signal ?? []].flat());
  const sent = request({ host: "127.0.0.1", port, agent, method, path, headers, signal });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const answer = await text(response);
  // What a framework answers by itself may be a page.
  const isOurs = response.headers["content-type"] === "application/json";
  return {
    status: response.statusCode ?? 0,
    headers: toHeaders(response.rawHeaders),
    body: answer === "" ? null : isOurs ? (JSON.parse(answer) as unknown) : answer,
  };
}

function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < raw.length; index += 2) headers.append(raw[index]!, raw[index + 1]!);
  return headers;
}
