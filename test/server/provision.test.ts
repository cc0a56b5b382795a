import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createTracker } from "../../lib/index.ts";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { provisionFrom } from "../../server/provision-file.ts";
import { CommandError } from "../../server/settings.ts";
import { assertRefusesToStart } from "../support/call-command.ts";
import { runCommand, withServer } from "../support/server-process.ts";
import { suite, testsOn } from "../support/suite.ts";

const seats = { key: "seats", type: "number" };
const contact = '{"email":"ada@example.com","customAttributes":{"seats":12}}';

/** Runs on a file of that content, in a folder of its own. */
async function onFile(
  content: string | Uint8Array,
  run: (file: string) => Promise<void>,
  name: string = "definitions.json",
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "whodid-test-"));
  try {
    const file = join(folder, name);
    await writeFile(file, content);
    await run(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Refused, in a line that names the file and matches. */
async function assertRefused(file: string, message: RegExp): Promise<void> {
  const tracker = createTracker({ storage: memoryStorage() });
  await assert.rejects(provisionFrom(tracker, file), (error) => {
    assert.ok(error instanceof CommandError);
    assert.ok(error.message.includes(file));
    assert.match(error.message, message);
    assert.match(error.message, /^.+$/);
    return true;
  });
  assert.deepEqual(await tracker.attributes.list(), []);
}

suite("a PROVISION file", (define) => {
  const test = testsOn(define, onFile);
  test("is made at the start", JSON.stringify({ attributes: [seats] }), async (file) => {
    await withServer(async ({ ask }) => assert.equal((await ask({ body: contact })).status, 201), {
      PROVISION: file,
    });
  });

  test(
    "is made before a server that refuses undefined events takes the first",
    JSON.stringify({ events: [{ key: "Order Completed", properties: { total: "number" } }] }),
    async (file) => {
      await withServer(
        async ({ ask }) => {
          await ask({ body: '{"email":"ada@example.com"}' });
          const track = async (eventKey: string, properties: object): Promise<number> => {
            const body = JSON.stringify({ externalId: "ada@example.com", eventKey, properties });
            return (await ask({ method: "POST", target: "/api/v1/events", body })).status;
          };
          assert.equal(await track("Order Completed", { total: 1 }), 201);
          assert.equal(await track("Order Completed", {}), 400);
          assert.equal(await track("order completed", { total: 1 }), 400);
        },
        { PROVISION: file, UNDEFINED_EVENTS: "refuse" },
      );
    },
  );

  test(
    "with an unknown entry stops the start, in a line that says where",
    JSON.stringify({ attributes: [seats], funnels: [] }),
    async (file) => {
      await assertRefusesToStart({ PROVISION: file }, /definitions\.json.*\bfunnels: there is no such field/);
    },
  );

  define("that is missing stops the start, in a line that names it", async () => {
    await assertRefusesToStart({ PROVISION: "/nowhere/definitions.json" }, /\/nowhere\/definitions\.json: ENOENT/);
  });

  test("may be made twice, and say a thing twice", JSON.stringify({ attributes: [seats, seats] }), async (file) => {
    const tracker = createTracker({ storage: memoryStorage() });
    await provisionFrom(tracker, file);
    await provisionFrom(tracker, file);
    assert.deepEqual(await tracker.attributes.list(), [{ ...seats, name: null }]);
  });

  for (const content of ["{}", '{"attributes":[]}', ' \n{"attributes":[]}\n', '\ufeff{"attributes":[]}']) {
    test(`may make nothing: ${JSON.stringify(content)}`, content, (file) =>
      provisionFrom(createTracker({ storage: memoryStorage() }), file),
    );
  }

  for (const [content, message] of [
    ["", /not valid JSON from line 1, column 1 on\.$/],
    ["{", /not valid JSON from line 1, column 2 on\.$/],
    ["attributes: []", /line 1, column 1 on/],
    ['{"attributes":[],}', /line 1, column 18 on/],
    ['{"attributes":[]\n "checklists":[]}', /line 2, column 2 on/],
    ['{"attributes":[\r\n  {"key":"seats","type":number}]}', /line 2, column 25 on/],
    ['{"attributes":[{"key":"seats","name":"Si\nèges"}]}', /line 1, column 38 on/],
    ['\ufeff{"attributes":[{"key":"\\q"}]}', /line 1, column 23 on/],
    ['{"attributes":[]} []', /line 1, column 19 on/],
    ['{"attributes":\u00a0[]}', /line 1, column 15 on/],
    [Buffer.from('{"attributes":[{"key":"seats","type":"number","name":"Si\xe8ges"}]}', "latin1"), /not in UTF-8/],
    ["[]", /the input: must be an object/],
    ['{"attributes":{}}', /\battributes: must be a list/],
    ['{"attributes":[{"key":"seats","type":"number"},{"key":"plan"}]}', /\battributes\.1\.type: required\./],
    [
      '{"attributes":[{"key":"a","type":"x"},{"key":"b","type":"y"}]}',
      /attributes\.0\.type: must [^:]*\. attributes\.1\.type: must /,
    ],
    ['{"attributes":[{"key":"a","type":"text"},{"key":"a","type":"number"}]}', /"a" is defined with the type text/],
  ] as const) {
    test(`is refused whole when it holds ${String(content) || "nothing"}`, content, (file) =>
      assertRefused(file, message),
    );
  }

  for (const [name, content] of [
    ["definitions.mjs", 'export default { attributes: [{ key: "seats", type: "number" }] };'],
    ["definitions.cjs", 'module.exports = { attributes: [{ key: "seats", type: "number" }] };'],
    [
      "compiled.cjs",
      'Object.defineProperty(exports, "__esModule", { value: true });\nexports.default = { attributes: [{ key: "seats", type: "number" }] };',
    ],
  ] as const) {
    test(
      `may be a module, whose default export is made: ${name}`,
      content,
      async (file) => {
        const tracker = createTracker({ storage: memoryStorage() });
        await provisionFrom(tracker, file);
        assert.deepEqual(await tracker.attributes.list(), [{ ...seats, name: null }]);
      },
      name,
    );
  }

  test(
    "may be a module in a path of the working directory",
    `export default ${JSON.stringify({ attributes: [seats] })}`,
    (file) => provisionFrom(createTracker({ storage: memoryStorage() }), relative(process.cwd(), file)),
    "definitions of #1.mjs",
  );

  for (const [content, message] of [
    ["export const attributes = [];", /The module .* has no default export\.$/],
    ["export default [];", /the input: must be an object/],
    ["export default { attribute: [] };", /\battribute: there is no such field/],
    ["export default {", /^Cannot load the definitions in .*: Unexpected end of input$/],
    ['import "nowhere-at-all";', /^Cannot load the definitions in .*: Cannot find package 'nowhere-at-all'/],
    ['throw new Error("one\\ntwo");', /^Cannot load the definitions in .*: one$/],
    ["throw null;", /^Cannot load the definitions in .*: null$/],
  ] as const) {
    test(
      `is refused when it is the module ${content}`,
      content,
      (file) => assertRefused(file, message),
      "definitions.mjs",
    );
  }

  test(
    "is a module in TypeScript where Node runs that, and else says that Node does not",
    "const attributes: { key: string; type: string }[] = []; export default { attributes };",
    async (file) => {
      const provisioned = provisionFrom(createTracker({ storage: memoryStorage() }), file);
      if ("typescript" in process.features && process.features.typescript) return provisioned;
      await assert.rejects(provisioned, /: this version of Node does not run TypeScript\.$/);
    },
    "definitions.mts",
  );

  test(
    "that is a module with a timer keeps no process from ending",
    "setInterval(() => {}, 1_000); export default [];",
    async (file) => {
      const DATABASE_URL = "mysql://nobody@127.0.0.1:1/none";
      for (const [args, environment] of [
        [["serve"], { PROVISION: file }],
        [["provision", file], { DATABASE_URL }],
      ] as const) {
        const { exitCode, stderr } = await runCommand(args, environment);
        assert.match(stderr, /^whodid: .*the input: must be an object\.\n$/);
        assert.equal(exitCode, 1);
      }
    },
    "definitions.mjs",
  );

  define("is refused when it is a module that does not exist", () =>
    assertRefused("/nowhere/definitions.js", /: ENOENT\.$/),
  );

  define("is refused when it is a folder", () => assertRefused(tmpdir(), /EISDIR/));
});
