/** The ORMs and the compiled apps, in `.orms`, which git ignores. */
import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compile, installPackages, root } from "../support/installs.ts";
import type { Orm } from "./orm.ts";

/** Where the ORMs are. */
export const installs: string = join(root, ".orms");

/** Some of the newest versions need a Node newer than the oldest that whodid runs on. */
export const newNode: string = join(installs, "node_modules/node24/bin/node");

/** Installs what the lock file says, unless it is there. */
export function install(): void {
  // The only scripts of the packages download engines of Prisma, which the client does without.
  installPackages("orms", installs, ["--ignore-scripts", "--loglevel=error"]);
}

/** Type-checks the apps and the examples where the ORMs are. */
export function build(): void {
  for (const folder of ["src", "out"]) rmSync(join(installs, folder), { recursive: true, force: true });
  for (const name of ["apps", "orm.ts"])
    cpSync(join(root, "test/orms", name), join(installs, "src", name), { recursive: true });
  cpSync(join(root, "examples/transactions"), join(installs, "src/examples"), { recursive: true });
  generatePrismaClient(join(installs, "src/examples/schema.prisma"));
  compile(installs);
}

/** The ORMs of the compiled apps. */
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
