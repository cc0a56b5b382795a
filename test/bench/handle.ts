import { createTracker } from "../../lib/index.ts";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { compareInRounds, type Figures } from "./rounds.ts";

const contacts = 10_000;
const requestsPerRound = 50_000;

/**
 * `handle` recording events, authenticated and limited, against its floor: a Request built, its JSON parsed, a Response built,
 * nothing else.
 */
export async function run(): Promise<void> {
  const tracker = createTracker({
    storage: memoryStorage(),
    rateLimit: { requests: Number.MAX_SAFE_INTEGER, perSeconds: 60 },
  });
  const { key } = await tracker.apiKeys.create({ name: "bench" });
  for (let i = 0; i < contacts; i++) await tracker.contacts.upsert({ email: `user${i}@example.com` });

  const request = (i: number): Request =>
    new Request("http://localhost/api/v1/events", {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
      body: `{"externalId":"user${i % contacts}@example.com","eventKey":"page_viewed","properties":{"plan":"pro","amount":42.5,"trial":false}}`,
    });
  const floor = async (received: Request): Promise<Response> => {
    const { eventKey } = (await received.json()) as { eventKey: string };
    return new Response(`{"success":true,"event":{"eventKey":"${eventKey}"}}`, {
      status: 201,
      headers: { "Content-Type": "application/json" },
    });
  };
  const measure = (answer: (request: Request) => Promise<Response>) => async (): Promise<Figures> => {
    const start = performance.now();
    for (let i = 0; i < requestsPerRound; i++) {
      const { status } = await answer(request(i));
      if (status !== 201) throw new Error(`answered ${status}`);
    }
    return { "requests/s": requestsPerRound / ((performance.now() - start) / 1_000) };
  };
  await measure(floor)();
  await measure(tracker.handle)();
  await compareInRounds(5, { floor: measure(floor), handle: measure(tracker.handle) });
}
