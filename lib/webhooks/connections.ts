/** Opens and keeps the connections to the hosts of webhooks. All are opened by `open`, to addresses that it has checked. */
import { once } from "node:events";
import { Agent as HttpAgent, type ClientRequestArgs } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { createSharedCalls } from "../bulk/shared-calls.ts";
import { connectMs, lookupsAtOnceMax, triedAddressesMax } from "../model/limits.ts";
import { orAborted } from "../model/signals.ts";
import { hostOf, isAllowedHost, portOf, type AllowedHosts } from "./urls.ts";

export interface ConnectionOptions {
  allow: AllowedHosts;
  /** Resolves with all addresses of a host. */
  resolve(host: string): Promise<readonly string[]>;
  /** Whether a host that is not in `allow` may have the address. */
  isAllowedAddress(address: string): boolean;
  /** Certificates to trust instead of the well-known ones. */
  ca: string | undefined;
  /** How long a connection is kept, from its beginning. */
  keptMs: number;
}

/** The reason why a try failed, in words that may be shown. */
export class TryError extends Error {}

/** Keeps of another error its code alone. Messages of Node repeat names, addresses and parts of certificates. */
export function tryErrorOf(error: unknown, reason: string): TryError {
  if (error instanceof TryError) return error;
  const { code } = Object(error) as { code?: unknown };
  return new TryError(typeof code === "string" ? `${reason} (${code})` : reason);
}

/** The fields that a request of one of our agents must have among its options. */
export interface Wanted {
  target: URL;
  /** Aborted when the try is over. Node does not pass on to an agent the option `signal`. */
  ending: AbortSignal;
}

export interface Connections {
  /** Returns the agent for a request. The agent keeps its connections, or opens one for each request. */
  agentFor(target: URL, isKeeping: boolean): HttpAgent;
  /** Destroys the idle connections, and keeps none any more. */
  close(): void;
}

export function createConnections({ allow, resolve, isAllowedAddress, ca, keptMs }: ConnectionOptions): Connections {
  const share = createSharedCalls(lookupsAtOnceMax);
  const begunAt = new WeakMap<Duplex, number>();
  let isClosed = false;

  /** Resolves with the addresses to try: the first of each family, beginning with IPv4, which more networks have. */
  async function addressesOf(target: URL): Promise<string[]> {
    const host = hostOf(target);
    const lookUp = (): Promise<readonly string[]> => share(host, () => resolve(host));
    const addresses = isIP(host) === 0 ? await lookUp() : [host];
    if (!isAllowedHost(target, allow) && !addresses.every(isAllowedAddress)) throw new TryError("refused address");
    const first = (family: number): string[] =>
      addresses.filter((address) => isIP(address) === family).slice(0, triedAddressesMax);
    return [...first(4), ...first(6)];
  }

  function connect(target: URL, host: string): Socket {
    const port = portOf(target);
    if (target.protocol === "http:") return connectTcp({ host, port });
    // An address is not sent as a name. The certificate then has to be that of `host`.
    const servername = isIP(hostOf(target)) === 0 ? hostOf(target) : "";
    // `rejectUnauthorized` depends on NODE_TLS_REJECT_UNAUTHORIZED by default.
    return connectTls({ host, port, servername, rejectUnauthorized: true, ca });
  }

  /** Connects to the first address that answers. Only the last has all the time that is left. */
  async function open({ target, ending }: Wanted): Promise<Socket> {
    const begun = performance.now();
    const addresses = await orAborted(ending, () => addressesOf(target)).catch((error: unknown) => {
      throw tryErrorOf(error, "look-up failed");
    });
    let failure: unknown = new TryError("look-up failed");
    for (const address of addresses) {
      const socket = connect(target, address);
      if (address !== addresses.at(-1)) socket.setTimeout(connectMs, () => socket.destroy(new TryError("time-out")));
      try {
        await once(socket, "connect", { signal: ending });
        begunAt.set(socket, begun);
        return socket.removeAllListeners("timeout").setTimeout(0);
      } catch (error) {
        socket.destroy();
        ending.throwIfAborted();
        failure = error;
      }
    }
    throw failure;
  }

  function createAgent(protocol: string, keepAlive: boolean): HttpAgent {
    const agent = protocol === "http:" ? new HttpAgent({ keepAlive }) : new HttpsAgent({ keepAlive });
    return Object.assign(agent, {
      createConnection(options: ClientRequestArgs & Wanted, created: (error: Error | null, socket?: Socket) => void) {
        open(options).then((socket) => created(null, socket), created);
      },
      keepSocketAlive(socket: Socket): boolean {
        const leftMs = begunAt.get(socket)! + keptMs - performance.now();
        if (isClosed || leftMs <= 0) return false;
        socket.unref();
        // The agent destroys an idle socket at its time-out.
        socket.setTimeout(leftMs);
        return true;
      },
    });
  }

  const keeping = { http: createAgent("http:", true), https: createAgent("https:", true) };

  return {
    agentFor({ protocol }, isKeeping) {
      if (!isKeeping) return createAgent(protocol, false);
      return protocol === "http:" ? keeping.http : keeping.https;
    },
    close() {
      isClosed = true;
      const idle = Object.values(keeping).flatMap(({ freeSockets }) => Object.values(freeSockets).flat());
      for (const socket of idle) socket?.destroy();
    },
  };
}
