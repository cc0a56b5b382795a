/** Everything belongs to a workspace, and nothing crosses. */
import assert from "node:assert/strict";
import { issuesOf, refusalOf, stoppedTracker, untyped } from "../../support/stopped-tracker.ts";
import { suite } from "../../support/suite.ts";

const email = "ada@example.com";

suite("workspaces", (test) => {
  test("the tracker itself is the workspace default", async () => {
    const { tracker } = stoppedTracker();
    const { contact } = await tracker.contacts.upsert({ email });
    assert.deepEqual(await tracker.workspace("default").contacts.get(email), contact);
  });

  test("workspaces may be named constructor or __proto__", async () => {
    for (const name of ["constructor", "__proto__"]) {
      const workspace = stoppedTracker().tracker.workspace(name);
      assert.equal((await workspace.contacts.upsert({ email: "ada@example.com" })).created, true);
    }
  });

  test("a workspace is the same each time it is asked for", async () => {
    const { tracker } = stoppedTracker();
    await tracker.workspace("acme").contacts.upsert({ email });
    assert.notEqual(await tracker.workspace("acme").contacts.get(email), null);
  });

  for (const name of ["a", "0", "-", "_", "acme-2_eu", "default"]) {
    test(`a workspace's name: ${name}`, () => {
      stoppedTracker().tracker.workspace(name);
    });
  }

  for (const [name, code] of [
    ["", "invalid_format"],
    ["Acme", "invalid_format"],
    ["a b", "invalid_format"],
    ["a/b", "invalid_format"],
    ["acme\n", "invalid_format"],
    ["é", "invalid_format"],
    [5, "wrong_type"],
    [null, "not_allowed_null"],
    [undefined, "required"],
  ] as const) {
    test(`no workspace's name: ${JSON.stringify(name)}`, async () => {
      const asking = async () => void stoppedTracker().tracker.workspace(untyped(name));
      assert.deepEqual(await issuesOf(asking()), [`name ${code}`]);
    });
  }

  test("an attribute of one workspace is not defined in another", async () => {
    const { tracker } = stoppedTracker();
    const acme = tracker.workspace("acme");
    await tracker.attributes.define({ key: "seats", type: "number" });
    assert.deepEqual(await acme.attributes.list(), []);
    assert.deepEqual(await issuesOf(acme.contacts.upsert({ email, customAttributes: { seats: 1 } })), [
      "customAttributes.seats attribute_not_defined",
    ]);
    assert.equal((await refusalOf(acme.attributes.delete("seats"))).code, "definition_not_found");
    await acme.provision({ attributes: [{ key: "seats", type: "text" }] });
    assert.equal((await tracker.attributes.list())[0]?.type, "number");
  });
});
