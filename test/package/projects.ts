/** Empty projects with the packed package in them, away from the packages of this one. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { root } from "../matrix/installs.ts";

const folder = mkdtempSync(join(tmpdir(), "whodid-package-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

/** Makes an empty folder away from the packages of this one. */
export function emptyFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

/** Runs a program to its end. Throws when it does not exit 0. */
export function outputOf(cwd: string, program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8", timeout: 300_000 });
  assert.equal(status, 0, `${program} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

/** A copy of the root, in which the package is built: other runs use the root's `dist` meanwhile. */
const source = join(folder, "source");
const isLeftOut = (name: string): boolean => name.startsWith(".") || /^(?:node_modules|dist|coverage)$/.test(name);

/** The package as `npm publish` would send it. */
export function pack(): { tarball: string; unpackedBytes: number } {
  cpSync(root, source, { recursive: true, filter: (path) => path === root || !isLeftOut(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(source, "node_modules"));
  // By itself npm would print what it builds into the JSON.
  outputOf(source, "npm", "run", "--silent", "prepack");
  const printed = outputOf(source, "npm", "pack", "--ignore-scripts", "--json", "--pack-destination", folder);
  const [{ filename, unpackedSize }] = JSON.parse(printed) as [{ filename: string; unpackedSize: number }];
  return { tarball: join(folder, filename), unpackedBytes: unpackedSize };
}

export interface Project {
  folder: string;
  /** All that came with the tarball, and the tarball itself. */
  packages: string[];
  lock: string;
}

/** An empty project, of ES modules unless it is told, that installs the tarball and these packages; the consumer is copied into it. */
export function createProject(
  tarball: string,
  consumer: string,
  packages: string[],
  name: string = consumer.replace(".ts", ""),
  type: "module" | "commonjs" = "module",
): Project {
  const project = emptyFolder(name);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type }));
  outputOf(project, "npm", "install", "--no-audit", "--no-fund", tarball, ...packages);
  const lock = readFileSync(join(project, "package-lock.json"), "utf8");
  const installed = Object.keys((JSON.parse(lock) as { packages: object }).packages);
  outputOf(project, "npm", "install", "--no-audit", "--no-fund", "--save-dev", "@types/node@20");
  cpSync(join(root, "test/package", consumer), join(project, "consumer.ts"));
  return { folder: project, packages: installed, lock };
}

/** How a project says which modules it has: with `bundler` it is left to one what becomes of them. */
export interface ModuleSettings {
  module: string;
  moduleResolution?: "bundler";
}

export const nodenext: ModuleSettings = { module: "nodenext" };

/** Type-checks the consumer and what it imports; leaves it as JavaScript for `node`. */
export function compile(project: Project, settings: ModuleSettings): void {
  const compilerOptions = { ...settings, strict: true, skipLibCheck: false, target: "es2022", types: ["node"] };
  writeFileSync(join(project.folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  outputOf(project.folder, process.execPath, join(root, "node_modules/typescript/bin/tsc"));
}

/** What is left of a clone where only what runs is installed, with the `dist` that was packed. */
export function createClone(): string {
  const clone = emptyFolder("clone");
  for (const path of ["package.json", "package-lock.json", "dist"]) {
    cpSync(join(source, path), join(clone, path), { recursive: true });
  }
  outputOf(clone, "npm", "ci", "--no-audit", "--no-fund", "--omit=dev");
  return clone;
}
