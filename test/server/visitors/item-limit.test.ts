import assert from "node:assert/strict";
import { TrackerError } from "../../../lib/index.ts";
import { createItemLimit } from "../../../server/visitors/item-limit.ts";
import { suite } from "../../support/suite.ts";

function refusalOf(take: () => void): number | null {
  try {
    take();
    return null;
  } catch (error) {
    assert.ok(error instanceof TrackerError && error.code === "rate_limited");
    return error.retryAfterSeconds;
  }
}

suite("the limit of a visitor's items", (test) => {
  test("refuses more than 60 in a minute of the clock, until the next begins", () => {
    let now = 60_000 * 1_000 + 45_000;
    const take = createItemLimit(() => now, 60);
    take("ada", 41);
    assert.equal(
      refusalOf(() => take("ada", 20)),
      15,
    );
    take("ada", 19);
    assert.equal(
      refusalOf(() => take("ada", 1)),
      15,
    );
    take("bob", 60);
    now += 15_000;
    take("ada", 60);
  });

  test("counts 10,000 visitors, and then forgets the one that came first", () => {
    const take = createItemLimit(() => 0, 60);
    for (let n = 0; n < 10_000; n++) take(`v${n}`, 60);
    assert.notEqual(
      refusalOf(() => take("v0", 1)),
      null,
    );
    take("new", 60);
    take("v0", 60);
    assert.notEqual(
      refusalOf(() => take("v9999", 1)),
      null,
    );
  });
});
