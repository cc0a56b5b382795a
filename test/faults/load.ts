import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { extname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { within } from "../support/within.ts";
import type { Answer, Order } from "./client-process.ts";
import { createClient, type Client, type Counts, type Target } from "./client.ts";
import { contestedEmail, knownEmails } from "./emails.ts";
import { createLedger, mergeLedgers, type Ledger } from "./ledger.ts";

/** What several processes of clients send at the same time. */
export interface Load {
  /** What all processes together have seen so far. */
  counts(): Promise<Counts>;
  /** Resolves once each server has acknowledged 50 requests more. Rejects when that takes 20 s. */
  flow(): Promise<void>;
  /** Stops beginning requests, and resolves with what the clients know once all are acknowledged. Rejects when that takes 40 s. */
  end(): Promise<Ledger>;
  kill(): void;
}

const processes = 2;
const flowing = 50;

/** Makes the contacts that are to be there, then starts the load. */
export async function startLoad(target: Target): Promise<Load> {
  const ledger = createLedger();
  const client = createClient("setup", target, ledger);
  await within(60_000, "making contacts", makeContacts(client));

  const file = join(import.meta.dirname, `client-process${extname(import.meta.filename)}`);
  const children = Array.from({ length: processes }, () => fork(file, { execArgv: [] }));
  for (const child of children) child.send({ start: target } satisfies Order);

  async function counts(): Promise<Counts> {
    const all = (await Promise.all(children.map((child) => ask(child, "count")))) as Counts[];
    const sum = (of: (one: Counts) => number): number => all.reduce((total, one) => total + of(one), 0);
    const byPort = target.ports.map((port) => [port, sum(({ acknowledged }) => acknowledged[port]!)]);
    return {
      acknowledged: Object.fromEntries(byPort) as Counts["acknowledged"],
      refused: sum(({ refused }) => refused),
    };
  }

  async function waitForFlow(): Promise<void> {
    const { acknowledged: before } = await counts();
    for (;;) {
      const { acknowledged: now } = await counts();
      if (target.ports.every((port) => now[port]! >= before[port]! + flowing)) return;
      await sleep(50);
    }
  }

  return {
    counts,
    flow: () => within(60_000, "each server acknowledging requests", waitForFlow()),
    async end() {
      const answers = Promise.all(children.map((child) => ask(child, "end")));
      return mergeLedgers([ledger, ...((await within(90_000, "all being acknowledged", answers)) as Ledger[])]);
    },
    kill: () => children.forEach((child) => child.kill("SIGKILL")),
  };
}

async function makeContacts(client: Client): Promise<void> {
  const emails = [...knownEmails, contestedEmail];
  while (emails.length > 0)
    await Promise.all(emails.splice(0, 8).map((email) => client.postContact("contacts", email)));
}

async function ask(child: ChildProcess, order: Order): Promise<Answer> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(child, "exit", { signal }).then(() => Promise.reject(new Error("A process of clients ended.")));
  try {
    child.send(order);
    const [answer] = (await Promise.race([once(child, "message", { signal }), ended])) as [Answer];
    return answer;
  } finally {
    settled.abort();
  }
}
