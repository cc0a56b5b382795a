import assert from "node:assert/strict";
import { eachChange, type ChangesQuery } from "../../../lib/client/changes.ts";
import { createClient } from "../../../lib/client/index.ts";
import { TrackerError, type Change } from "../../../lib/index.ts";
import { refusalOf } from "../../support/stopped-tracker.ts";
import { scriptedServer } from "../../support/scripted-server.ts";
import { suite } from "../../support/suite.ts";

const gone = (): TrackerError => new TrackerError("storage_unavailable");

/** A page of so many changes, whose ids follow one another from `first` on. */
function page(first: number, count: number, more = false): Record<string, unknown> {
  const items = Array.from({ length: count }, (_, index) => ({ id: String(first + index) }));
  return { items, cursor: `c${first + count}`, more };
}

/** Reads so many changes from a server that answers with these pages and errors. Resolves with the ids and the requests. */
async function read(
  count: number,
  ...answers: (Record<string, unknown> | TrackerError)[]
): Promise<{ ids: string[]; asked: ChangesQuery[] }> {
  const asked: ChangesQuery[] = [];
  const ids: string[] = [];
  const ask = async (query: ChangesQuery): Promise<Record<string, unknown>> => {
    asked.push(query);
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  for await (const { id } of eachChange(ask, "c0", new AbortController().signal)) {
    if (ids.push(id) === count) break;
  }
  return { ids, asked };
}

suite({ name: "a client's reader of changes", atOnce: 4 }, (test) => {
  test("follows the cursors, and waits only after a page that no others follow", async () => {
    const { ids, asked } = await read(504, page(0, 500, true), page(500, 1), page(501, 0), page(501, 3));
    assert.deepEqual(
      ids,
      Array.from({ length: 504 }, (_, id) => String(id)),
    );
    assert.deepEqual(asked, [
      { after: "c0", limit: 500, wait: 0 },
      { after: "c500", limit: 500, wait: 0 },
      { after: "c501", limit: 500, wait: 25 },
      { after: "c501", limit: 500, wait: 25 },
    ]);
  });

  test("goes on when the server does not answer or limits it, with pages that are smaller at first", async () => {
    const { ids, asked } = await read(2, gone(), new TrackerError("rate_limited"), page(0, 1), page(1, 1));
    assert.deepEqual(ids, ["0", "1"]);
    assert.deepEqual(
      asked.map(({ after, limit }) => [after, limit]),
      [
        ["c0", 500],
        ["c0", 250],
        ["c0", 125],
        ["c1", 250],
      ],
    );
  });

  for (const code of ["changes_expired", "definition_not_found", "forbidden", "internal"] as const) {
    test(`ends with a refusal: ${code}`, async () => {
      assert.equal((await refusalOf(read(1, new TrackerError(code)))).code, code);
    });
  }

  test("gets changes after a call that failed with all its tries", async () => {
    const paths: string[] = [];
    const fetch = async (url: unknown): Promise<Response> => {
      paths.push(String(url));
      if (paths.length === 1) throw new TypeError("fetch failed");
      return Response.json({ success: true, ...page(0, 1) });
    };
    // So little time that a call is not tried again.
    const { subscriptions } = createClient({ url: "http://localhost", key: "sk_test", maxWaitMs: 500, fetch });
    const { value } = await subscriptions.changes("all", { after: "c0" }).next();
    assert.equal((value as Change).id, "0");
    const asked = (limit: number): string =>
      `http://localhost/subscriptions/all/changes?after=c0&limit=${limit}&wait=0`;
    assert.deepEqual(paths, [asked(500), asked(250)]);
  });

  test("gives a request that waits this time beside that of a try", async () => {
    const answers = [page(0, 0), page(0, 1)];
    const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
      if (answers.length === 1) await new Promise((resolve) => setTimeout(resolve, 300));
      init?.signal?.throwIfAborted();
      return Response.json({ success: true, ...answers.shift() });
    };
    const onRetry = (): void => assert.fail("sent again");
    const { subscriptions } = createClient({ url: "http://localhost", key: "sk_test", timeoutMs: 100, fetch, onRetry });
    const { value } = await subscriptions.changes("all").next();
    assert.equal((value as Change).id, "0");
  });

  test("ends with the reason of either signal, and with the close of the client", async () => {
    const { url, close } = scriptedServer("hang");
    const client = createClient({ url, key: "sk_test" });
    const [first, second] = [new AbortController(), new AbortController()];
    const reason = new Error("enough");
    try {
      const ofOption = client.subscriptions.changes("all", { signal: first.signal }).next();
      const ofClient = client.withSignal(second.signal).subscriptions.changes("all").next();
      const closed = refusalOf(client.subscriptions.changes("all").next());
      first.abort(reason);
      await assert.rejects(ofOption, reason);
      second.abort(reason);
      await assert.rejects(ofClient, reason);
      await client.close();
      assert.equal((await closed).message, "The client is closed.");
    } finally {
      close();
    }
  });
});
