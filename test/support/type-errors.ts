/** The messages of a compiler about events that lack a property, and about the fields of errors. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const dist = join(import.meta.dirname, "../..");
const root = join(dist, "..");

const head = `import { createTracker, TrackerError } from "${dist}/lib/index.js";
import type { KeyedEventOf } from "${dist}/lib/index.js";
import { memoryStorage } from "${dist}/adapters/memory/index.js";
const definitions = {
  events: [
    { key: "order_completed", properties: { total: "number", coupon: "text?" } },
    { key: "report_created", properties: { pages: "number?" } },
    { key: "signup_completed" },
  ],
} as const;
export const { events } = createTracker({ storage: memoryStorage(), definitions });
export type Keyed = KeyedEventOf<typeof definitions>;
const properties = { coupon: "SPRING" };
const order = { externalId: "u_1", eventKey: "order_completed", properties } as const;
`;

const literal = `{ externalId: "u_1", eventKey: "order_completed", properties: { coupon: "SPRING" } }`;
const statements = {
  literal: `void events.track(${literal});`,
  noProperties: `void events.track({ externalId: "u_1", eventKey: "order_completed" });`,
  variable: "void events.track(order);",
  list: `void events.trackMany([${literal}]);`,
  generator: `export function* history(): Generator<Keyed> { yield ${literal}; }`,
  narrowed: `export function adviceOn(error: unknown): string {
    if (!(error instanceof TrackerError)) throw error;
    switch (error.code) {
      case "email_taken":
        return error.conflict.contacts.map(({ email }) => email).join();
      case "rate_limited":
        return String(error.retryAfterSeconds);
      case "transaction_lost":
        return error.partial ? "look" : "again";
      default:
        throw new TrackerError("rate_limited") satisfies TrackerError;
    }
  }`,
  unnarrowed: "export const conflictOf = (error: TrackerError) => error.conflict;",
};

/** Asserts that this compiler has short messages with the properties of the event's key alone, and narrows an error by its code. */
export function checkTypeErrors(tsc: string): void {
  const errors = typeErrorsOf(tsc);
  const required = "{ total: number; coupon?: string | undefined; }";
  const missing = `Property 'total' is missing in type '{ coupon: string; }' but required in type '${required}'.`;
  assert.deepEqual([errors["literal"], errors["list"]], [[missing], [missing]]);
  assert.equal(errors["variable"]?.at(-1), missing);
  assert.equal(errors["generator"]?.at(-1), missing);
  assert.match(
    errors["noProperties"]?.at(-1) ?? "",
    /^Property 'properties' is missing in type .*properties: \{ total: /,
  );
  assert.equal(errors["narrowed"], undefined);
  assert.equal(errors["unnarrowed"]?.[0], "Property 'conflict' does not exist on type 'TrackerError'.");
  for (const [name, lines] of Object.entries(errors)) {
    assert.ok(lines.length <= 6, lines.join("\n"));
    // The type of a generator is a union of all events.
    if (name !== "generator") assert.doesNotMatch(lines.join("\n"), /pages|report_created/);
  }
}

/** Compiles each statement in a program of its own. Returns the lines of its errors, without files and positions. */
function typeErrorsOf(tsc: string): Record<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), "whodid-test-"));
  try {
    const files = Object.entries(statements).map(([name, statement]) => {
      const file = join(folder, `${name}.mts`);
      writeFileSync(file, `${head}${statement}\n`);
      return file;
    });
    const options = "--noEmit --strict --module nodenext --target es2023 --skipLibCheck --types node --pretty false";
    const types = ["--typeRoots", join(root, "node_modules/@types")];
    const given = [tsc, ...options.split(" "), ...types, ...files];
    const { stdout } = spawnSync(process.execPath, given, { cwd: folder, encoding: "utf8" });
    const errors: Record<string, string[]> = {};
    let file = "";
    for (const line of stdout.trimEnd().split("\n")) {
      const [, name = file, message = line.trim()] = /(\w+)\.mts\(\d+,\d+\): error TS\d+: (.*)/.exec(line) ?? [];
      file = name;
      (errors[file] ??= []).push(message);
    }
    return errors;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
