import fc, { type Arbitrary } from "fast-check";
import { fault, type Fault } from "./faults.ts";
import type { Intent } from "./intents.ts";
import { refusedBody } from "./mutations.ts";
import { refusedPath } from "./paths.ts";
import { attemptOf, plainStyle, validAttempt, type Attempt } from "./requests.ts";

/** One request of a sequence. */
export interface Step {
  attempt: Attempt;
  authorization: "valid" | "missing" | "invalid";
  fault: Fault | null;
  /** How long the clock runs on before it. */
  waitMs: number;
}

const step: Arbitrary<Step> = fc.record({
  attempt: fc.oneof(
    { weight: 12, arbitrary: validAttempt },
    { weight: 3, arbitrary: refusedBody },
    { weight: 1, arbitrary: refusedPath },
  ),
  authorization: fc.oneof(
    { weight: 30, arbitrary: fc.constant("valid" as const) },
    { weight: 1, arbitrary: fc.constantFrom("missing" as const, "invalid" as const) },
  ),
  fault,
  waitMs: fc.nat({ max: 5_000 }),
});

/** A first few requests fill the storage, so that those after them find something. */
const beginning: Arbitrary<Step[]> = fc
  .constantFrom<[email: string, externalId: string | null][]>(
    [
      ["ada@example.com", "u_1"],
      ["bob@example.com", "ada@example.com"],
    ],
    [
      ["ADA@Example.com", null],
      ["bob@example.com", null],
      ["k@example.com", "u_1"],
    ],
    [
      ["bob@example.com", "U_1"],
      ["k@example.com", "bob@example.com"],
      ["ada@example.com", "ada@example.com"],
    ],
  )
  .map((contacts) => contacts.map(([email, externalId]) => stepOf({ kind: "upsert", input: { email, externalId } })));

export const sequence: Arbitrary<Step[]> = fc
  .tuple(beginning, fc.array(step, { minLength: 1, maxLength: 80, size: "max" }))
  .map((parts) => parts.flat());

function stepOf(intent: Intent): Step {
  return { attempt: attemptOf(intent, plainStyle), authorization: "valid", fault: null, waitMs: 0 };
}
