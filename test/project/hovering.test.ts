/** What an editor shows of the public names: the docstrings of the published declarations, and signatures. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "../support/suite.ts";

const root = join(import.meta.dirname, "../../..");
const { exports: entries } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, string>;
};

/** The public names that the declarations say nothing of, as `file: name`. */
function silentNames(file: string, wanted?: Set<string>): string[] {
  const text = readFileSync(file, "utf8");
  const declared = text.matchAll(
    /(\*\/\n)?^export (?:declare )?(?:abstract )?(?:interface|type|class|function|const) (\w+)/gm,
  );
  const silent = Array.from(declared, ([, documented, name]) => ({ documented, name: name! }))
    .filter(({ documented, name }) => !documented && (!wanted || wanted.has(name)))
    .map(({ name }) => `${file.slice(root.length + 1)}: ${name}`);
  const passedOn = text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";/gm);
  return Array.from(passedOn).reduce((all, [, names, path]) => {
    const target = join(file, "..", path!.replace(/\.[jt]s$/, ".d.ts"));
    assert.ok(existsSync(target), target);
    return [...all, ...silentNames(target, new Set(names!.split(",").map((name) => name.replace("type ", "").trim())))];
  }, silent);
}

/** The methods that the declarations say nothing of, as `file: name`. */
function silentMethods(path: string): string[] {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  return lines.flatMap((line, index) => {
    const [, name] = /^ +(\w+)[(<]/.exec(line) ?? [];
    return name && !lines[index - 1]!.trim().endsWith("*/") ? [`${path}: ${name}`] : [];
  });
}

/** The calls that an app has most. */
const calls = [
  ...["upsert", "put", "get", "update", "delete"].map((name) => `tracker.contacts.${name}`),
  'tracker.events.track({ externalId: "u_1", eventKey: "order_completed", properties: { orderId: "1", cents: 1 } })',
  "tracker.events.list",
  "tracker.checklists.progress",
  'tracker.subscriptions.consume("mailer", () => {})',
  "tracker.transaction(async () => {})",
];

/** A message of the language server: a request of its own, a notification, or the answer to a hover. */
interface Message {
  id?: number;
  method?: string;
  result?: { contents: { value: string } };
}

/** The signatures of the methods of the calls, as the compiler's language server shows them in an app with this line. */
async function signatures(line: string): Promise<Map<string, string>> {
  const folder = join(root, "dist/hovering");
  const file = join(folder, "app.ts");
  mkdirSync(folder, { recursive: true });
  const paths = { whodid: ["../lib/index.d.ts"] };
  const compilerOptions = { module: "nodenext", strict: true, allowImportingTsExtensions: true, noEmit: true, paths };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  const shop = `import { definitions, type ShopTracker } from "../../examples/shop/src/definitions.ts";`;
  const text = [`import { createTracker } from "whodid"; ${shop} ${line}`, ...calls].join("\n");
  writeFileSync(file, text);

  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const server = spawn(process.execPath, [compiler, "--lsp", "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const uri = pathToFileURL(file).href;
  const capabilities = { textDocument: { hover: { contentFormat: ["markdown"] } } };
  send({ id: 0, method: "initialize", params: { processId: null, rootUri: null, capabilities } });
  send({ method: "initialized", params: {} });
  send({
    method: "textDocument/didOpen",
    params: { textDocument: { uri, languageId: "typescript", version: 1, text } },
  });
  calls.forEach((call, index) => {
    const position = { line: index + 1, character: /^[\w.]*/.exec(call)![0].length - 1 };
    send({ id: index + 1, method: "textDocument/hover", params: { textDocument: { uri }, position } });
  });
  const shown = new Map<string, string>();
  let received = "";
  // A character for each byte.
  for await (const chunk of server.stdout.setEncoding("latin1")) {
    received += chunk;
    for (;;) {
      const [header = "", length] = /^Content-Length: (\d+)\r\n\r\n/.exec(received) ?? [];
      const end = header.length + Number(length);
      if (!(received.length >= end)) break;
      const { id, method, result } = JSON.parse(received.slice(header.length, end)) as Message;
      received = received.slice(end);
      // It waits for the answers to its own requests.
      if (method && id !== undefined) send({ id, result: null });
      else if (id) shown.set(calls[id - 1]!, /^```\w+\n(.*?)\n```/s.exec(result!.contents.value)![1]!);
    }
    if (shown.size === calls.length) break;
  }
  server.kill();
  return shown;
}

suite("hovering", (test) => {
  for (const [entry, path] of Object.entries(entries)) {
    test(`every name of ${entry.replace(".", "whodid")} tells what it is`, () => {
      assert.deepEqual(silentNames(join(root, path.replace(/\.js$/, ".d.ts"))), []);
    });
  }

  test("signatures are short where the definitions have a name, and most of them where they have none", async () => {
    const longIn = async (line: string): Promise<string[]> => {
      const shown = await signatures(line);
      return calls.filter((call) => shown.get(call)!.length > 350);
    };
    assert.deepEqual(await longIn("declare const tracker: ShopTracker;"), []);
    const created = "declare const storage: never; const tracker = createTracker({ storage, definitions });";
    assert.deepEqual(await longIn(created), calls.slice(-2));
  });

  test("every method of a tracker and of a storage tells what it does", () => {
    const files = [
      "tracker",
      "methods/index",
      "in-transaction",
      "consumers/methods",
      "storage/port",
      "storage/contacts",
      "storage/events",
      "storage/definitions",
      "storage/audiences",
      "storage/checklists",
      "storage/watches",
      "storage/changes",
      "storage/consumers",
      "storage/api-keys",
      "storage/workspaces",
    ].map((name) => `dist/lib/${name}.d.ts`);
    assert.deepEqual(files.flatMap(silentMethods), []);
    assert.match(readFileSync(join(root, "dist/lib/in-transaction.d.ts"), "utf8"), /^ +upsert\(/m);
  });
});
