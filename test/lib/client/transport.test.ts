import assert from "node:assert/strict";
import { createClient, type ClientOptions, type Retry } from "../../../lib/client/index.ts";
import type { TrackerError } from "../../../lib/index.ts";
import { scriptedServer, type Arrived, type Step } from "../../support/scripted-server.ts";
import { refusalOf } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";
import { within } from "../../support/within.ts";

interface Scene {
  client: ReturnType<typeof createClient>;
  arrived: Arrived[];
  retries: Retry[];
}

/** Runs with a client of a server that takes these steps. */
async function scene(
  steps: [Step, ...Step[]],
  run: (scene: Scene) => Promise<void>,
  options: Partial<ClientOptions> = {},
): Promise<void> {
  const { url, arrived, close } = scriptedServer(...steps);
  const retries: Retry[] = [];
  const onRetry = (retry: Retry): void => void retries.push(retry);
  try {
    await run({ client: createClient({ url, key: "sk_test", onRetry, ...options }), arrived, retries });
  } finally {
    close();
  }
}

const refusal = (code: string, message = "No."): object => ({ success: false, error: { code, message } });
const unavailable: Step = { status: 503, body: refusal("storage_unavailable") };
const contact: Step = { status: 200, body: { success: true, contact: { id: "1" } } };
const event: Step = { status: 201, body: { success: true, event: { id: "1" }, completedChecklistItems: [] } };
const html: Step = { status: 502, body: "<html>Bad gateway</html>", headers: { "content-type": "text/html" } };
const item = { status: 201, body: { success: true, contact: { id: "1" } } };
const track = { externalId: "u_1", eventKey: "bought" };

suite({ name: "the client's transport", atOnce: 4 }, (test) => {
  for (const [what, step] of [
    ["a connection that is dropped", "drop"],
    ["an answer that is cut off", "cut"],
    ["a 503", unavailable],
    ["a proxy's 502", html],
    ["a proxy's 200 that is cut off", { status: 200, body: '{"success":tr' }],
  ] as [string, Step][]) {
    test(`sends an event again after ${what}, with the same idempotency key`, () =>
      scene([step, step, event], async ({ client, arrived, retries }) => {
        const tracked = await client.events.track(track);
        assert.deepEqual([tracked.event.id, tracked.replayed], ["1", false]);
        const keys = new Set(arrived.map(({ headers }) => headers["idempotency-key"]));
        assert.deepEqual([arrived.length, keys.size], [3, 1]);
        assert.match([...keys][0] as string, /^"[0-9a-f-]{36}"$/);
        assert.deepEqual(
          retries.map(({ method, path, attempt }) => `${method} ${path} ${attempt}`),
          ["POST /events 1", "POST /events 2"],
        );
      }));
  }

  test("sends the key as a bearer, and for null none", async () => {
    for (const [key, authorization] of [
      ["sk_test", "Bearer sk_test"],
      [null, undefined],
    ] as const) {
      await scene(
        [contact],
        async ({ client, arrived }) => {
          await client.contacts.get("u_1");
          assert.equal(arrived[0]?.headers.authorization, authorization);
        },
        { key },
      );
    }
  });

  test("sends a definition without the key of its path, as the OpenAPI document has it", () =>
    scene([{ status: 200, body: { success: true, attribute: {} } }], async ({ client, arrived }) => {
      await client.attributes.define({ key: "seats", type: "number" });
      assert.deepEqual([arrived[0]?.path, arrived[0]?.body], ["/api/v1/attributes/seats", '{"type":"number"}']);
    }));

  test("sends a request that hangs again after the time of a try", () =>
    scene(
      ["hang", contact],
      async ({ client, arrived }) => {
        assert.deepEqual(await client.contacts.get("u_1"), { id: "1" });
        // A busy machine may take longer than a try for the answer to the second, too.
        assert.ok(arrived.length >= 2);
      },
      { timeoutMs: 200 },
    ));

  test("waits after a 429 as long as the server says", () =>
    scene(
      [{ status: 429, body: refusal("rate_limited"), headers: { "retry-after": "1" } }, contact],
      async ({ client, retries }) => {
        let isDue = false;
        setTimeout(() => (isDue = true), 990).unref();
        await client.contacts.get("u_1");
        assert.ok(isDue);
        assert.ok(retries[0]!.delayMs >= 1_000 && retries[0]!.delayMs <= 1_100);
        assert.equal((retries[0]!.error as TrackerError).code, "rate_limited");
      },
    ));

  for (const [code, status] of [
    ["rate_limited", 429],
    ["storage_unavailable", 503],
  ] as const) {
    for (const body of [refusal(code), "<html>"]) {
      test(`rejects at once after a ${status} with ${JSON.stringify(body)} that asks to wait for a day, and tells the time`, () =>
        scene([{ status, body, headers: { "retry-after": "86400" } }], async ({ client, arrived, retries }) => {
          const refused = await refusalOf(client.contacts.get("u_1"));
          assert.ok(refused.code === code);
          assert.equal(refused.retryAfterSeconds, 86_400);
          assert.deepEqual([arrived.length, retries], [1, []]);
        }));
    }
  }

  test("ends a call in its time, which its tries and pauses share", () =>
    scene(
      ["hang"],
      async ({ client, arrived }) => {
        const refused = within(60_000, "the call", refusalOf(client.contacts.get("u_1")));
        assert.equal((await refused).code, "storage_unavailable");
        assert.ok(arrived.length <= 1);
      },
      { maxWaitMs: 500, timeoutMs: 1_000_000 },
    ));

  test("lets the batches of a list share its time, and tries each of them once after it", () =>
    scene(
      ["hang"],
      async ({ client, arrived }) => {
        const contacts = Array.from({ length: 1_100 }, (_, n) => ({ email: `a${n}@b.c` }));
        assert.deepEqual(await client.contacts.upsertMany(contacts), { ok: 0, failed: 1_100 });
        assert.ok(arrived.length <= 3);
      },
      { maxWaitMs: 500 },
    ));

  test("lets the time of a list begin again with each batch that succeeds", () => {
    const whole: Step = { status: 200, body: { success: true, items: [item] } };
    return scene(
      [unavailable, whole, unavailable, whole],
      async ({ client, arrived }) => {
        async function* slow(): AsyncGenerator<{ email: string }> {
          yield { email: "a@b.c" };
          await new Promise((resolve) => setTimeout(resolve, 3_000));
          yield { email: "d@e.f" };
        }
        assert.deepEqual(await client.contacts.upsertMany(slow()), { ok: 2, failed: 0 });
        assert.equal(arrived.length, 4);
      },
      { maxWaitMs: 3_000 },
    );
  });

  test("refuses an answer of more than 32 MiB, and does not ask for it again", () =>
    scene([{ status: 200, body: "x".repeat(2 ** 25 + 1) }], async ({ client, arrived }) => {
      const { code, message } = await refusalOf(client.contacts.get("u_1"));
      assert.deepEqual([code, arrived.length], ["storage_unavailable", 1]);
      assert.match(message, /^The answer is larger than 33554432 bytes;/);
    }));

  test("tells of the items of a batch that are sent again", () => {
    const items = [item, { status: 503, body: refusal("storage_unavailable") }];
    const rest = items.slice(0, 1);
    return scene(
      [
        { status: 200, body: { success: true, items } },
        { status: 200, body: { success: true, items: rest } },
      ],
      async ({ client, arrived, retries }) => {
        const contacts = [{ email: "a@b.c" }, { email: "d@e.f" }];
        assert.deepEqual(await client.contacts.upsertMany(contacts), { ok: 2, failed: 0 });
        assert.deepEqual(
          arrived.map(({ body }) => (JSON.parse(body) as { items: object[] }).items),
          [contacts, contacts.slice(1)],
        );
        const [{ method, path, attempt, error, delayMs }, ...others] = retries as [Retry];
        assert.deepEqual([method, path, attempt, others], ["POST", "/contacts/batch", 1, []]);
        assert.equal((error as TrackerError).code, "storage_unavailable");
        assert.ok(delayMs >= 50 && delayMs <= 100);
      },
    );
  });

  for (const [what, items] of [
    ["too few items", [item]],
    ["too many items", [item, item, item]],
    ["no items", undefined],
    ["a text for its items", "ok"],
    ["items that are none", [null, 1]],
    ["items without a contact", [{ status: 201, body: { success: true } }, item]],
    ["items without a body", [{ status: 201 }, { status: 201, body: null }]],
    [
      "refusals without a code",
      [
        { status: 400, body: { success: false } },
        { status: 400, body: { error: "no" } },
      ],
    ],
  ] as const) {
    test(`sends a batch again after an answer with ${what}, like any other that is none of whodid's`, () => {
      return scene(
        [
          { status: 200, body: { success: true, items } },
          { status: 200, body: { success: true, items: [item, item] } },
        ],
        async ({ client, arrived, retries }) => {
          const contacts = [{ email: "a@b.c" }, { email: "d@e.f" }];
          assert.deepEqual(await client.contacts.upsertMany(contacts), { ok: 2, failed: 0 });
          assert.equal(arrived[1]!.body, JSON.stringify({ items: contacts }));
          const { code, message } = retries[0]!.error as TrackerError;
          assert.equal(code, "storage_unavailable");
          assert.match(message, /^Something else than whodid answered, with status 200\. /);
        },
      );
    });
  }

  test("ends the wait for a batch's items with the error that onRetry throws", async () => {
    const fault = new Error("enough");
    const items = [{ status: 503, body: refusal("storage_unavailable") }];
    await scene(
      [{ status: 200, body: { success: true, items } }],
      ({ client }) => assert.rejects(client.contacts.upsertMany([{ email: "a@b.c" }]), (error) => error === fault),
      {
        onRetry: () => {
          throw fault;
        },
      },
    );
  });

  test("aborts many writes while their items are waited for", () =>
    scene([event], async ({ client }) => {
      const controller = new AbortController();
      async function* never(): AsyncGenerator<never> {
        await new Promise(() => {});
        yield* [];
      }
      const call = client.withSignal(controller.signal).events.trackMany(never());
      controller.abort(new Error("enough"));
      await assert.rejects(call, /enough/);
    }));

  test("is aborted by what onRetry does", async () => {
    const controller = new AbortController();
    const busy: Step = { status: 429, body: refusal("rate_limited"), headers: { "retry-after": "30" } };
    await scene(
      [busy],
      ({ client }) => assert.rejects(client.withSignal(controller.signal).contacts.list(), /enough/),
      { onRetry: () => controller.abort(new Error("enough")) },
    );
  });

  test("tells a key of the caller's as it is, and that an earlier call had it", () =>
    scene([{ ...event, headers: { "idempotent-replayed": "true" } }], async ({ client, arrived }) => {
      assert.equal((await client.events.track(track, { idempotencyKey: '"order"-1' })).replayed, true);
      assert.equal(arrived[0]!.headers["idempotency-key"], '""order"-1"');
      assert.equal((await client.events.track(track)).replayed, false);
    }));

  test("gives up after eight tries, with the last error", () =>
    scene([unavailable], async ({ client, arrived }) => {
      assert.equal((await refusalOf(client.contacts.list())).code, "storage_unavailable");
      assert.equal(arrived.length, 8);
    }));

  for (const [what, code, status] of [
    ["a refusal", "invalid_input", 400],
    ["a conflict", "email_taken", 409],
    ["an error of the server's", "internal", 500],
  ] as const) {
    test(`does not send again after ${what}`, () =>
      scene([{ status, body: refusal(code, "Told.") }], async ({ client, arrived }) => {
        const { code: met, message } = await refusalOf(client.contacts.update("u_1", {}));
        assert.deepEqual([met, message, arrived.length], [code, "Told.", 1]);
      }));
  }

  test("creates an API key once, whatever happens to the answer", () =>
    scene(["drop"], async ({ client, arrived }) => {
      assert.equal((await refusalOf(client.apiKeys.create({ name: "x" }))).code, "storage_unavailable");
      assert.equal(arrived.length, 1);
    }));

  test("says of a write that is refused that a lost try may have taken effect", () =>
    scene(["drop", { status: 404, body: refusal("contact_not_found") }], async ({ client }) => {
      const { code, cause } = await refusalOf(client.contacts.update("u_1", { externalId: "u_2" }));
      assert.deepEqual([code, (cause as Error).message.includes("earlier try")], ["contact_not_found", true]);
    }));

  test("says nothing of a lost try that there was not", () =>
    scene([{ status: 404, body: refusal("contact_not_found") }], async ({ client }) => {
      assert.equal((await refusalOf(client.contacts.delete("u_1"))).cause, undefined);
    }));

  for (const [what, step] of [
    ["a page", { status: 404, body: "<html>", headers: { "content-type": "text/html" } }],
    ["JSON of something else", { status: 200, body: { ok: true } }],
    ["a redirection", { status: 301, body: "", headers: { location: "/elsewhere" } }],
  ] as [string, Step][]) {
    test(`is told apart from whodid by ${what}`, () =>
      scene([step], async ({ client }) => {
        const { message } = await refusalOf(client.contacts.get("u_1"));
        assert.match(
          message,
          /^Something else than whodid answered, with status \d+\. The url must end with the base path of the API, /,
        );
      }));
  }

  test("is aborted by a signal, under way and between two tries", async () => {
    for (const step of ["hang", unavailable] as const) {
      await scene([step], async ({ client, arrived }) => {
        const reason = new Error("enough");
        const controller = new AbortController();
        const call = client.withSignal(controller.signal).contacts.list();
        setTimeout(() => controller.abort(reason), 20);
        await assert.rejects(call, (error) => error === reason);
        const before = arrived.length;
        await assert.rejects(client.withSignal(controller.signal).contacts.list(), (error) => error === reason);
        assert.equal(arrived.length, before);
      });
    }
  });

  test("sends nothing once it is closed", () =>
    scene([contact], async ({ client, arrived }) => {
      await client.close();
      await client.close();
      assert.equal((await refusalOf(client.contacts.get("u_1"))).code, "storage_unavailable");
      assert.equal(arrived.length, 0);
    }));
});
