/** What the matrix runs on, in `.matrix`, which git ignores: the frameworks, the compiled mounts, and the built Next.js application. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const root: string = join(import.meta.dirname, "../../..");
export const installs: string = join(root, ".matrix");

/** Installs what the lock file says, unless it is there. */
export function install(): void {
  mkdirSync(installs, { recursive: true });
  const lock = readFileSync(join(root, "test/matrix/package-lock.json"), "utf8");
  const installedLock = join(installs, "installed-lock.json");
  if (existsSync(installedLock) && readFileSync(installedLock, "utf8") === lock) return;
  for (const file of ["package.json", "package-lock.json"])
    cpSync(join(root, "test/matrix", file), join(installs, file));
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: installs, stdio: ["ignore", "ignore", "inherit"] });
  symlinkSync("../..", join(installs, "node_modules/whodid"));
  writeFileSync(installedLock, lock);
}

/** Type-checks the examples and the mounts where the frameworks are, and builds the Next.js example. */
export function build(): void {
  for (const folder of ["src", "out", "next"]) rmSync(join(installs, folder), { recursive: true, force: true });
  const examples = join(root, "examples/mounts");
  cpSync(examples, join(installs, "src/examples"), {
    recursive: true,
    filter: (path) => path !== join(examples, "next"),
  });
  cpSync(join(root, "test/matrix/apps.ts"), join(installs, "src/apps.ts"));
  const compilerOptions = {
    rootDir: "src",
    outDir: "out",
    declaration: false,
    isolatedDeclarations: false,
    // The frameworks' own declarations.
    skipLibCheck: true,
  };
  const config = { extends: "../tsconfig.json", compilerOptions, include: ["src"], exclude: [] };
  writeFileSync(join(installs, "tsconfig.json"), JSON.stringify(config));
  run([join(root, "node_modules/typescript/bin/tsc"), "-p", installs], installs);

  const next = join(installs, "next");
  cpSync(join(examples, "next"), next, { recursive: true });
  // The package and its dependencies are linked, not installed: they lie outside of what Next.js takes for the project.
  writeFileSync(join(next, "next.config.mjs"), 'export default { turbopack: { root: "/" } };\n');
  run([join(installs, "node_modules/next/dist/bin/next"), "build"], next);
}

/** The versions of Node that the package is tried on, oldest first: the one that runs this, and two that are installed beside the frameworks. */
export function nodes(): Record<string, string> {
  if (!process.version.startsWith("v20.")) throw new Error("Run this on Node 20: it brings Node 22 and 24 itself.");
  return {
    "Node 20": process.execPath,
    "Node 22": join(installs, "node_modules/node22/bin/node"),
    "Node 24": join(installs, "node_modules/node24/bin/node"),
  };
}

function run(args: string[], cwd: string): void {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  try {
    execFileSync(process.execPath, args, { cwd, env, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}
