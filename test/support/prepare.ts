import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/**
 * Compiles a folder of `test` that has a `tsconfig.json` of its own into `dist`, after it has installed the packages that the
 * folder's lock file names. Does nothing for other folders.
 */
export function prepare(name: string): void {
  const folder = join(root, "test", name);
  if (!existsSync(join(folder, "tsconfig.json"))) return;
  const packages = join(folder, "node_modules");
  const lock = join(folder, "package-lock.json");
  const installedLock = join(packages, ".installed-lock.json");
  if (!existsSync(installedLock) || readFileSync(installedLock, "utf8") !== readFileSync(lock, "utf8")) {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
    copyFileSync(lock, installedLock);
  }
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], { stdio: "inherit" });
  const link = join(root, "dist/test", name, "node_modules");
  rmSync(link, { force: true });
  symlinkSync(packages, link);
}
