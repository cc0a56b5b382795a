/** The ORMs and the compiled apps, in `.orms`, which git ignores. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Orm } from "./orm.ts";

const root = join(import.meta.dirname, "../../..");

/** Where the ORMs are. */
export const installs: string = join(root, ".orms");

/** Some of the newest versions need a Node newer than the oldest that whodid runs on. */
export const newNode: string = join(installs, "node_modules/node24/bin/node");

/** Installs what the lock file says, unless it is there. */
export function install(): void {
  mkdirSync(installs, { recursive: true });
  const lock = readFileSync(join(root, "test/orms/package-lock.json"), "utf8");
  const installedLock = join(installs, "installed-lock.json");
  if (existsSync(installedLock) && readFileSync(installedLock, "utf8") === lock) return;
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(root, "test/orms", file), join(installs, file));
  // The only scripts of the packages download engines of Prisma, which the client does without.
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["ci", ...options], { cwd: installs, stdio: ["ignore", "ignore", "inherit"] });
  symlinkSync("../..", join(installs, "node_modules/whodid"));
  writeFileSync(installedLock, lock);
}

/** Type-checks the apps and the examples where the ORMs are. */
export function build(): void {
  for (const folder of ["src", "out"]) rmSync(join(installs, folder), { recursive: true, force: true });
  for (const name of ["apps", "orm.ts"])
    cpSync(join(root, "test/orms", name), join(installs, "src", name), { recursive: true });
  cpSync(join(root, "examples/transactions"), join(installs, "src/examples"), { recursive: true });
  generatePrismaClient(join(installs, "src/examples/schema.prisma"));
  const compilerOptions = {
    rootDir: "src",
    outDir: "out",
    declaration: false,
    isolatedDeclarations: false,
    // The ORMs' own declarations.
    skipLibCheck: true,
  };
  const config = { extends: "../tsconfig.json", compilerOptions, include: ["src"], exclude: [] };
  writeFileSync(join(installs, "tsconfig.json"), JSON.stringify(config));
  try {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", installs], {
      encoding: "utf8",
    });
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error });
  }
}

/** The ORMs of the compiled apps, in the order of the table. */
export async function installedOrms(): Promise<readonly Orm[]> {
  const { orms } = (await import(join(installs, "out/apps/index.js"))) as { orms: readonly Orm[] };
  return orms;
}

export async function installedOrm(name: string): Promise<Orm> {
  return (await installedOrms()).find((orm) => orm.name === name)!;
}

/** Makes the client that the example imports. */
function generatePrismaClient(schema: string): void {
  const command = [join(installs, "node_modules/prisma/build/index.js"), "generate", "--schema", schema];
  // It would download an engine, which it does not run here, and ask for news of itself.
  const environment = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" };
  execFileSync(newNode, command, { env: environment, stdio: "pipe" });
}

/** The version of a package as it is installed. */
export function versionOf(name: string): string {
  const manifest = readFileSync(join(installs, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
