/** Empty projects with the packed package in them, away from the packages of this one. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../matrix/installs.ts";

const folder = mkdtempSync(join(tmpdir(), "whodid-package-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

/** Runs a program to its end. Throws when it does not exit 0. */
export function outputOf(cwd: string, program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8", timeout: 120_000 });
  assert.equal(status, 0, `${program} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

/** The package as `npm publish` would send it. Built before, by the script that runs this. */
export function pack(): { tarball: string; bytes: number } {
  const printed = outputOf(root, "npm", "pack", "--ignore-scripts", "--json", "--pack-destination", folder);
  const [{ filename, size }] = JSON.parse(printed) as [{ filename: string; size: number }];
  return { tarball: join(folder, filename), bytes: size };
}

export interface Project {
  folder: string;
  /** All that came with the tarball. */
  installedBytes: number;
  packages: string[];
  lock: string;
}

/** An empty project that installs the tarball and these packages; the consumer is copied into it. */
export function createProject(
  tarball: string,
  consumer: string,
  packages: string[],
  name: string = consumer.replace(".ts", ""),
): Project {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  outputOf(project, "npm", "install", "--no-audit", "--no-fund", tarball, ...packages);
  const lock = readFileSync(join(project, "package-lock.json"), "utf8");
  const installed = Object.keys((JSON.parse(lock) as { packages: object }).packages);
  const installedBytes = bytesIn(join(project, "node_modules"));
  outputOf(project, "npm", "install", "--no-audit", "--no-fund", "--save-dev", "@types/node@20");
  cpSync(join(root, "test/package", consumer), join(project, "consumer.ts"));
  return { folder: project, installedBytes, packages: installed, lock };
}

/** Type-checks the consumer and what it imports; as `nodenext`, leaves it as JavaScript. */
export function compile({ folder }: Project, module: "nodenext" | "bundler"): void {
  const modules = module === "nodenext" ? { module } : { module: "esnext", moduleResolution: "bundler", noEmit: true };
  const compilerOptions = { ...modules, strict: true, skipLibCheck: false, target: "es2022", types: ["node"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  outputOf(folder, process.execPath, join(root, "node_modules/typescript/bin/tsc"));
}

function bytesIn(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  );
}
