import assert from "node:assert/strict";
import { TrackerError } from "../../../lib/model/errors.ts";
import { resultOf, settle } from "../../../lib/bulk/item-results.ts";
import { suite } from "../../support/suite.ts";

const refusal = new TrackerError("contact_not_found");
const defect = new Error("a defect");

suite("results of items", (test) => {
  test("hold what the method gives, or the TrackerError that it throws", async () => {
    const refused = (): never => {
      throw refusal;
    };
    assert.deepEqual(
      resultOf(() => ({ n: 1 })),
      { ok: true, n: 1 },
    );
    assert.deepEqual(resultOf(refused), { ok: false, error: refusal });
    assert.deepEqual(await settle(Promise.resolve({ n: 1 })), { ok: true, n: 1 });
    assert.deepEqual(await settle(Promise.reject(refusal)), { ok: false, error: refusal });
  });

  test("hold no other error: it is thrown", async () => {
    const broken = (): never => {
      throw defect;
    };
    assert.throws(
      () => resultOf(broken),
      (error) => error === defect,
    );
    await assert.rejects(settle(Promise.reject(defect)), (error) => error === defect);
  });
});
