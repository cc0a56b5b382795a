import assert from "node:assert/strict";
import type { ParkedContact } from "../../../lib/index.ts";
import type { Test } from "../../support/suite.ts";
import { assertInvalid, assertRefused } from "../answers.ts";
import { clientOf, visitsTo, type Client, type Visit } from "../client.ts";
import type { DoorAnswer, OpenDoor } from "../door.ts";
import { answeredBy } from "./reading.ts";

const parked = "/subscriptions/all/parked";
const unknownId = "019c13b5-8a80-7000-8000-000000000000";

/** Resolves with the emails of the contacts whose changes are handled now. */
async function handled({ tracker }: Pick<Client, "tracker">): Promise<string[]> {
  const emails: string[] = [];
  await tracker.subscriptions.consume("all", { until: "caught-up" }, ({ contact }) => {
    if ("email" in contact) emails.push(contact.email);
  });
  return emails;
}

function pageOf(answer: DoorAnswer): { items: ParkedContact[]; nextCursor: string | null } {
  const { items, nextCursor } = answeredBy(answer) as { items: ParkedContact[]; nextCursor: string | null };
  return { items, nextCursor };
}

/** Contacts that are parked behind a change that failed. */
export function parkedCases(define: Test, open: OpenDoor): void {
  // The failures of the handlers are reported.
  const test = visitsTo(define, open, { onError: () => {} });
  const withParked: Visit = (name, run) =>
    test(name, async (client) => {
      const { contacts, subscriptions } = client.tracker;
      await subscriptions.define({ key: "all", on: { contacts: true } });
      for (const email of ["ada@example.com", "bob@example.com"]) {
        await contacts.upsert({ email });
        const options = { until: "caught-up", tries: 1 } as const;
        await subscriptions.consume("all", options, () => Promise.reject(new Error("no mail")));
      }
      await run(client);
    });

  withParked("a subscription is resumed with the changes from now on, by an admin", async (client) => {
    const { key } = await client.tracker.apiKeys.create({ name: "admin", access: "admin" });
    const { get, post } = clientOf(client.door, key);
    assert.deepEqual(answeredBy(await post("/subscriptions/all/resume", { from: "oldest" })), {});
    assert.equal(pageOf(await get(parked)).items.length, 2);
    assert.deepEqual(answeredBy(await post("/subscriptions/all/resume", { from: "now" })), {});
    assert.deepEqual(pageOf(await get(parked)).items, []);
    assert.deepEqual(await handled(client), []);
    assertInvalid(await post("/subscriptions/all/resume", { from: "then" }), ["from: invalid_format"]);
    assertInvalid(await post("/subscriptions/all/resume", {}), ["from: required"]);
    assertRefused(await post("/subscriptions/other/resume", { from: "now" }), 404, "definition_not_found");
  });

  withParked("unknown subscriptions and changes are refused, and wrong parameters", async ({ get, post }) => {
    assertRefused(await get("/subscriptions/other/parked"), 404, "definition_not_found");
    assertInvalid(await get(`${parked}?limit=0&cursor=x&after=x`), [
      "limit: out_of_range",
      "cursor: invalid_format",
      "after: unknown_field",
    ]);
    for (const how of ["retry", "drop"]) {
      assertRefused(await post(`/subscriptions/other/parked/${unknownId}/${how}`, {}), 404, "definition_not_found");
      assertRefused(await post(`/subscriptions/other/parked/x/${how}`, {}), 404, "definition_not_found");
      assertRefused(await post(`${parked}/${unknownId}/${how}`, {}), 404, "change_not_parked");
      assertRefused(await post(`${parked}/x/${how}`, {}), 404, "change_not_parked");
      assertInvalid(await post(`/subscriptions/1st/parked/x/${how}`, {}), ["key: invalid_format"]);
      assertInvalid(await post(`${parked}/x/${how}?force=true`, {}), ["force: unknown_field"]);
    }
  });
}
