/** What a dashboard that is mounted at `/whodid` answers, whatever it is mounted in. */
import assert from "node:assert/strict";
import type { Door, DoorAnswer, DoorCall } from "../http/door.ts";

const admin = { "x-admin": "yes" };
const write = { ...admin, "content-type": "application/json" };
const contact = '{"email":"ada@example.com","externalId":"u/1"}';

/** The cases by their titles. */
export const dashboardCases: Readonly<Record<string, (door: Door) => Promise<void>>> = {
  "the dashboard answers its page, and the files that the page names": async ({ send }) => {
    const page = await send({ method: "GET", path: "/whodid", headers: admin });
    assert.deepEqual([page.status, page.headers.get("x-content-type-options")], [200, "nosniff"]);
    const [, script = ""] = /src="([^"]+)"/.exec(String(page.body)) ?? [];
    const { status, headers, body } = await send({ method: "GET", path: script, headers: admin });
    assert.deepEqual([status, headers.get("content-type")], [200, "text/javascript; charset=utf-8"]);
    assert.ok(String(body).length > 1_000);
  },
  "the dashboard reads by its API": async ({ send, tracker }) => {
    await tracker.contacts.upsert({ email: "ada@example.com", externalId: "u/1" });
    const { status, body } = await send({ method: "GET", path: "/whodid/api/contacts/u%2F1", headers: admin });
    assert.deepEqual([status, (body as { success: boolean }).success], [200, true]);
  },
  "the dashboard writes by its API with its own header alone": async ({ send, tracker }) => {
    const call: DoorCall = { method: "POST", path: "/whodid/api/contacts", headers: write, body: contact };
    assert.equal(codeOf(await send(call)), "forbidden");
    assert.deepEqual((await tracker.contacts.list()).items, []);
    const written = await send({ ...call, headers: { ...write, "x-whodid-dashboard": "1" } });
    assert.equal(written.status, 201);
    assert.equal((await tracker.contacts.list()).items.length, 1);
  },
  "the dashboard refuses whom authorize refuses, on every path": async ({ send }) => {
    for (const path of ["/whodid", "/whodid/script.js", "/whodid/api/contacts"]) {
      const answer = await send({ method: "GET", path });
      assert.deepEqual([answer.status, codeOf(answer)], [403, "forbidden"]);
    }
  },
};

function codeOf({ body }: DoorAnswer): string {
  return (body as { error: { code: string } }).error.code;
}
