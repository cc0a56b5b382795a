import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Proxy } from "../support/proxy.ts";
import { within } from "../support/within.ts";

const fates = ["lose commit", "lose answer"] as const;
const cuts = 400;

/** Cuts connections before a COMMIT reaches the database or once it has answered, and lets some hang there. */
export async function cutCommits(proxy: Proxy): Promise<void> {
  for (let cut = 0; cut < cuts; cut++) {
    proxy.next.push(cut % 100 === 99 ? "freeze" : fates[cut % 2]!);
    await sleep(10);
  }
  const used = async (): Promise<void> => {
    while (proxy.next.length > 0) await sleep(10);
  };
  await within(60_000, "commits being cut", used());
  assert.equal(proxy.next.length, 0);
}
