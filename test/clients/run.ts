/**
 * `npm run long -- clients`: generators make clients of the OpenAPI document, in `.clients`, which git ignores, and each client takes
 * the same twenty steps on a server on memory. Ends with `N passed, N failed`.
 */
import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { toListener } from "../../adapters/node-http.ts";
import { openApiDocument } from "../../lib/http/openapi/index.ts";
import { createTracker } from "../../lib/index.ts";
import { installPackages, installPython, root } from "../support/installs.ts";
import { listening } from "../support/loopback.ts";
import { suite } from "../support/suite.ts";

const installs = join(root, ".clients");
const python = join(installs, "python");
const document = join(installs, "openapi.json");
const steps = [
  "attribute upsert put update event repeat older batch pages type checklist audience subscription members completion",
  "changes conflict unknown limit deletion",
].flatMap((names) => names.split(" "));

/** How each client is made into a folder of its own, and how its steps are taken there. */
interface Client {
  /** The programs without which it is left out. */
  needs: readonly string[];
  make(folder: string): void;
  take(folder: string): [program: string, ...args: string[]];
}

const inNode = (folder: string): [string, string] => [process.execPath, join(folder, "steps.js")];
const inPython = (folder: string): [string, string] => [join(python, "bin/python"), join(folder, "steps.py")];

const clients: Record<string, Client> = {
  "openapi-typescript.ts": {
    needs: [],
    make: (folder) => runPackage("openapi-typescript/bin/cli.js", document, "-o", join(folder, "made.ts")),
    take: inNode,
  },
  "hey-api.ts": {
    needs: [],
    make(folder) {
      const config = { input: document, output: { path: join(folder, "made"), module: { extension: ".js" } } };
      writeFileSync(join(folder, "config.json"), JSON.stringify(config));
      runPackage("@hey-api/openapi-ts/bin/run.js", "--file", join(folder, "config.json"));
    },
    take: inNode,
  },
  "openapi-python-client.py": {
    needs: ["python3"],
    make(folder) {
      const out = ["--meta", "none", "--output-path", join(folder, "made")];
      run(join(python, "bin/openapi-python-client"), "generate", "--fail-on-warning", "--path", document, ...out);
    },
    take: inPython,
  },
  "openapi-generator.py": {
    needs: ["python3", "java"],
    make: (folder) => runOpenApiGenerator("python", folder),
    take: inPython,
  },
  "openapi-generator.go": {
    needs: ["python3", "java", "go"],
    make(folder) {
      const module = "--git-host example.com --git-user-id whodid --git-repo-id made";
      runOpenApiGenerator("go", folder, ...module.split(" "));
      mkdirSync(join(folder, "steps"));
      cpSync(join(folder, "steps.go"), join(folder, "steps/main.go"));
      rmSync(join(folder, "steps.go"));
      execFileSync("go", ["build", "-o", "take", "./steps"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    },
    take: (folder) => [join(folder, "take")],
  },
};

function run(program: string, ...args: string[]): void {
  const env = { ...process.env, PATH: `${join(python, "bin")}:${process.env["PATH"]}` };
  execFileSync(program, args, { cwd: installs, env, stdio: ["ignore", "ignore", "inherit"] });
}

function runPackage(program: string, ...args: string[]): void {
  run(process.execPath, join(installs, "node_modules", program), ...args);
}

function runOpenApiGenerator(language: string, folder: string, ...options: string[]): void {
  const given = ["-i", document, "-o", folder, "--additional-properties=packageName=made", ...options];
  run(join(python, "bin/openapi-generator-cli"), "generate", "-g", language, "--skip-validate-spec", ...given);
}

/** Installs the generators and what their clients need, unless they are there. */
function install(): void {
  installPackages("clients", installs, ["--loglevel=error"]);
  if (isInstalled("python3")) installPython("clients", installs);
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

/** Makes all clients that the machine has the programs for. Returns each with the program that takes its steps. */
function make(): [file: string, program: [string, ...string[]]][] {
  writeFileSync(document, JSON.stringify(openApiDocument("/api/v1")));
  const made: [string, [string, ...string[]]][] = [];
  for (const [file, client] of Object.entries(clients)) {
    const folder = join(installs, file);
    rmSync(folder, { recursive: true, force: true });
    const missing = client.needs.filter((program) => !isInstalled(program));
    if (missing.length > 0) {
      process.once("exit", () => console.log(`${file.toUpperCase()} NOT TESTED: there is no ${missing.join()}`));
      continue;
    }
    mkdirSync(folder);
    cpSync(join(root, "test/clients/steps", file), join(folder, `steps${extname(file)}`));
    client.make(folder);
    made.push([file, client.take(folder)]);
  }
  const compilerOptions = { strict: true, target: "es2023", module: "nodenext", rewriteRelativeImportExtensions: true };
  const config = { compilerOptions: { ...compilerOptions, skipLibCheck: true }, include: ["*.ts/**/*.ts"] };
  writeFileSync(join(installs, "tsconfig.json"), JSON.stringify(config));
  runPackage("typescript/bin/tsc", "-p", installs);
  return made;
}

/** Takes the steps of a client on a server of its own. Resolves with the names of those that it has taken. */
async function take([program, ...args]: [string, ...string[]]): Promise<string[]> {
  const tracker = createTracker({ storage: memoryStorage() });
  const { key } = await tracker.apiKeys.create({ name: "clients", access: "admin" });
  const listener = toListener(tracker);
  let taken = "";
  try {
    await listening(
      createServer((request, response) => void listener(request, response)),
      async (port) => {
        const env = { ...process.env, URL: `http://127.0.0.1:${port}/api/v1`, KEY: key };
        taken = (await promisify(execFile)(program, args, { env, timeout: 240_000 })).stdout;
      },
    );
  } finally {
    await tracker.close();
  }
  return taken.trim().split("\n");
}

install();
const made = make();
suite("clients that others make of the document", (test) => {
  for (const [file, program] of made) {
    test(`${file} takes every step`, async () => assert.deepEqual(await take(program), steps));
  }
});
