/** A process of its own whose clients send what each loop below says, from its start until it is told to end. */
import { setTimeout as sleep } from "node:timers/promises";
import { pick } from "../support/random.ts";
import { createClient, type Counts, type Target } from "./client.ts";
import { contestedEmail, knownEmails } from "./emails.ts";
import { createLedger, type Ledger } from "./ledger.ts";

/** The first says where to send; the others are each answered once: `end` when all is acknowledged. */
export type Order = { start: Target } | "count" | "end";

export type Answer = Counts | Ledger;

/** A contact is new for so long: then all processes turn to the next. */
const burstMs = 100;

const ledger = createLedger();
let ending = false;

function startLoops(target: Target): () => Promise<Answer> {
  const client = createClient(String(process.pid), target, ledger);
  let newest = knownEmails[0]!;
  const work: [loops: number, act: () => Promise<void>][] = [
    [10, () => client.recordEvent("events", pick([pick(knownEmails), pick(knownEmails), newest]))],
    [target.contestedLoops, () => client.recordEvent("contested events", contestedEmail)],
    [1, () => client.postContact("contested contacts", contestedEmail, { name: pick(["Ada", "Grace"]) })],
    [2, () => client.postContact("contacts", pick(knownEmails), { name: pick(["Ada", "Grace"]) })],
    [
      2,
      async () => {
        const burst = Math.floor(Date.now() / burstMs);
        const email = `burst${burst}@example.com`;
        await Promise.all(Array.from({ length: 3 }, () => client.postContact("contacts", email)));
        newest = email;
        await sleep((burst + 1) * burstMs - Date.now());
      },
    ],
  ];
  const loops = work.flatMap(([count, act]) => Array.from({ length: count }, () => repeat(act)));
  process.on("message", (order: Order) => {
    if (order === "count") process.send!(client.counts);
  });
  return async () => {
    await Promise.all(loops);
    return ledger;
  };
}

async function repeat(act: () => Promise<void>): Promise<void> {
  while (!ending) await act();
}

let ended: () => Promise<Answer>;
process.on("message", (order: Order) => {
  if (typeof order === "object") ended = startLoops(order.start);
  if (order !== "end") return;
  ending = true;
  void ended().then((answer) => process.send!(answer));
});
process.on("disconnect", () => process.exit(0));
