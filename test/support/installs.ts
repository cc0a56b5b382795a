/** Packages that a longer run alone needs, in a hidden folder of the root that git ignores. */
import { execFileSync, type ExecFileSyncOptions } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const root: string = join(import.meta.dirname, "../../..");

/** Installs what the lock file of a folder of `test` says, unless it is there. */
export function installPackages(name: string, installs: string, options: readonly string[] = []): void {
  mkdirSync(installs, { recursive: true });
  const lock = readFileSync(join(root, "test", name, "package-lock.json"), "utf8");
  const installedLock = join(installs, "installed-lock.json");
  if (existsSync(installedLock) && readFileSync(installedLock, "utf8") === lock) return;
  for (const file of ["package.json", "package-lock.json"])
    cpSync(join(root, "test", name, file), join(installs, file));
  const args = ["ci", "--no-audit", "--no-fund", ...options];
  execFileSync("npm", args, { cwd: installs, stdio: ["ignore", "ignore", "inherit"] });
  symlinkSync("../..", join(installs, "node_modules/whodid"));
  writeFileSync(installedLock, lock);
}

/** Installs what the `requirements.txt` of a folder of `test` says, unless it is there. Returns the folder of Python's programs. */
export function installPython(name: string, installs: string): string {
  const python = join(installs, "python");
  const [wanted, installed] = [join(root, "test", name, "requirements.txt"), join(python, "requirements.txt")];
  const programs = join(python, "bin");
  if (existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(wanted, "utf8")) return programs;
  mkdirSync(installs, { recursive: true });
  const options: ExecFileSyncOptions = { stdio: ["ignore", "ignore", "inherit"] };
  execFileSync("python3", ["-m", "venv", python], options);
  const quiet = ["--quiet", "--disable-pip-version-check"];
  execFileSync(join(programs, "pip"), ["install", ...quiet, "-r", wanted], options);
  cpSync(wanted, installed);
  return programs;
}

/** Type-checks and compiles `src` there into `out`. */
export function compile(installs: string): void {
  const compilerOptions = {
    rootDir: "src",
    outDir: "out",
    declaration: false,
    isolatedDeclarations: false,
    // The packages' own declarations.
    skipLibCheck: true,
  };
  const config = { extends: "../tsconfig.json", compilerOptions, include: ["src"], exclude: [] };
  writeFileSync(join(installs, "tsconfig.json"), JSON.stringify(config));
  runNode([join(root, "node_modules/typescript/bin/tsc"), "-p", installs], installs);
}

/** Throws all that the program printed. */
export function runNode(args: string[], cwd: string, environment: Record<string, string> = {}): void {
  try {
    const env = { ...process.env, ...environment };
    execFileSync(process.execPath, args, { cwd, env, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${args.join(" ")}\n${stdout}${stderr}`, { cause: error });
  }
}
