/** The shortcuts of the code: each can be left out, and nothing is answered otherwise. */
export interface Shortcut {
  /** The file that holds it, from the root. */
  file: string;
  /** A module that exports the same names and never takes the shortcut. */
  off: string;
  /** Parts of the paths of the tests that its code runs in, as `dist/test/run.js` takes them. */
  tests: readonly string[];
}

export const shortcuts: readonly Shortcut[] = [
  {
    file: "lib/input/plain-events.ts",
    off: "export const isPlainEvent = () => false;",
    tests: ["lib/events", "lib/input/events", "lib/odd-inputs", "lib/idempotency", "http/in-process", "http/hostile"],
  },
  {
    file: "lib/remembered-hashes.ts",
    off: `
      export const rememberedHash = () => undefined;
      export const rememberHash = () => {};
      export const forgetHash = () => {};
    `,
    tests: ["lib/api-keys", "http/in-process", "adapters/mysql/caches"],
  },
  {
    file: "lib/http/tracked-json.ts",
    off: `
      export const trackedJson = (event, completedChecklistItems) =>
        JSON.stringify({ success: true, event, completedChecklistItems });
    `,
    tests: ["http/in-process", "http/over-socket"],
  },
  {
    file: "adapters/mysql/events/plain-batch.ts",
    off: "export const recordPlainBatch = async () => null;",
    tests: ["adapters/mysql/contract", "adapters/mysql/model", "adapters/mysql/exactly-once", "adapters/mysql/held"],
  },
];
