import fc from "fast-check";
import { newId } from "../../lib/model/ids.ts";
import type { PageSize, Position, Slice } from "../../lib/storage/rows.ts";
import type { Storage } from "../../lib/storage/port.ts";
import type { Scalar } from "../../lib/model/types.ts";

/** What a run of operations remembers: names that later operations may use again. */
export interface Memory {
  workspaces: [string, string];
  contacts: Position[];
  events: Position[];
  /** By workspace. `defineAttributes` defines them before the first operation. */
  attributes: [string[], string[]];
  checklists: string[];
  keys: { id: string; hash: string }[];
  clock: number;
}

export function newMemory(prefix: string): Memory {
  return {
    workspaces: [`${prefix}a`, `${prefix}b`],
    contacts: [],
    events: [],
    attributes: [
      [newId(0), newId(0), newId(0)],
      [newId(0), newId(0), newId(0)],
    ],
    checklists: [],
    keys: [],
    clock: 1_769_850_000_000,
  };
}

export async function defineAttributes({ workspaces, attributes }: Memory, storage: Storage): Promise<void> {
  for (const [at, workspace] of workspaces.entries()) {
    for (const id of attributes[at]!) {
      const body = { type: "text", name: null } as const;
      await storage.putDefinition({ workspace, kind: "attribute", key: id, id, body, createdAt: 0 });
    }
  }
}

export type Operation = (memory: Memory) => (storage: Storage) => Promise<unknown>;

const odd = [
  "a",
  "A",
  "ß",
  "ss",
  "é",
  "e\u0301",
  "\u{1F600}",
  "%",
  "_",
  "\\",
  "\\'",
  "'; --",
  '"',
  "a ",
  "\0",
  "K",
  "\u212A",
];
export const hostile: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...odd),
  fc.string({ unit: "binary", maxLength: 12 }),
);
// Few, so that they meet.
export const name: fc.Arbitrary<string> = fc.constantFrom(
  ...odd,
  "ada@x",
  "ADA@x",
  "Ada@x",
  "ada@x ",
  "bob@x",
  "b\u00f6b@x",
);
export const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  hostile,
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.maxSafeInteger(),
);
export const time: fc.Arbitrary<number> = fc.constantFrom(
  -62_135_596_800_000,
  0,
  1,
  1_769_850_000_000,
  1_769_850_000_001,
);
export const place: fc.Arbitrary<number> = fc.nat(1);
export const index: fc.Arbitrary<number> = fc.nat(1_000);

export const anyEventKey: fc.Arbitrary<string> = fc.constantFrom("step", "Step", "step ", "\u{1F600}", "ß");

export const slice: fc.Arbitrary<PageSize & { after: number | null }> = fc.record({
  limit: fc.integer({ min: 1, max: 7 }),
  maxBytes: fc.constantFrom(1, 500, 2_000, Infinity),
  after: fc.option(index),
});

export function sliceOf({ after, ...size }: PageSize & { after: number | null }, positions: Position[]): Slice {
  const known = after === null || positions.length === 0 ? null : positions[after % positions.length]!;
  return { ...size, after: known };
}
