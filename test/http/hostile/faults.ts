import fc, { type Arbitrary } from "fast-check";
import { TrackerError, type Storage } from "../../../lib/index.ts";

const methods = [
  "findApiKey",
  "consume",
  "findContact",
  "upsertContacts",
  "updateContact",
  "deleteContact",
  "recordEvents",
] as const;

/** The storage method that fails, if the request comes to it, and the code that this is answered with. */
export interface Fault {
  method: (typeof methods)[number];
  code: "internal" | "storage_unavailable";
}

export const fault: Arbitrary<Fault | null> = fc.oneof(
  { weight: 14, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      method: fc.constantFrom(...methods),
      code: fc.constantFrom("internal" as const, "storage_unavailable" as const),
    }),
  },
);

export interface FaultyStorage {
  storage: Storage;
  /** Makes the next call of the method fail, and no later one. */
  expect(fault: Fault | null): void;
  /** The fault that happened since `expect`, or `null`. */
  happened(): Fault | null;
}

export function withFaults(storage: Storage): FaultyStorage {
  let expected: Fault | null = null;
  let happened: Fault | null = null;
  const failing = methods.map((method) => [
    method,
    async (...args: unknown[]) => {
      if (expected?.method === method) {
        happened = expected;
        expected = null;
        throw happened.code === "internal" ? new Error("SELECT secret") : new TrackerError("storage_unavailable");
      }
      return (storage[method] as (...args: unknown[]) => Promise<unknown>)(...args);
    },
  ]);
  return {
    storage: { ...storage, ...(Object.fromEntries(failing) as Partial<Storage>) },
    expect(next) {
      expected = next;
      happened = null;
    },
    happened: () => happened,
  };
}
