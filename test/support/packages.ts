import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { downloadPackages } from "./apt.ts";

const run = promisify(execFile);

/** Packages of Debian or Ubuntu that are unpacked together. */
export interface PackageSet {
  /** What the cache's folder is named after. */
  name: string;
  /** The names to ask for; the first list that can be had is taken. */
  choices: readonly (readonly string[])[];
  /**
   * A suite of Debian's that is not this machine's: then all that the packages need comes along, the C library too, and they run
   * through the loader that is unpacked with them.
   */
  suite: string | null;
}

/** The process id of who fetches follows. */
const workPrefix = "fetching-";

/**
 * The folder that the packages are unpacked in, with the libraries that this machine lacks; `null` when they cannot be had.
 * Fetches them the first time, into `node_modules/.cache` of the checkout, and changes nothing outside of it.
 */
export async function fetchPackages(set: PackageSet): Promise<string | null> {
  const cache = join(checkout(), `node_modules/.cache/whodid-${set.name}`);
  const system = /^PRETTY_NAME="?([^"\n]*)/m.exec(await readFile("/etc/os-release", "utf8"))?.[1] ?? "unknown";
  // The packages run on the system that they were chosen for: the libraries that it had were left out.
  const root = join(cache, `${system} ${process.arch}`.replaceAll(/[^a-zA-Z0-9.]+/g, "-"));
  if (existsSync(root)) return root;
  console.error(`Fetching the packages of ${set.name} into ${cache}, this once.`);
  await removeInterrupted(cache);
  const work = join(cache, `${workPrefix}${process.pid}`);
  try {
    const packages = await downloadPackages(set, work);
    if (packages === null) return null;
    const unpacked = join(work, "root");
    for (const file of packages) await run("dpkg", ["-x", file, unpacked]);
    // Another run that fetched at the same time may have been first; its copy is as good.
    await rename(unpacked, root).catch((error: unknown) => {
      if (!existsSync(root)) throw error;
    });
    return root;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Removes what a process left here that was killed while it fetched. */
async function removeInterrupted(cache: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  for (const name of await readdir(cache)) {
    if (!name.startsWith(workPrefix)) continue;
    try {
      process.kill(Number(name.slice(workPrefix.length)), 0);
    } catch {
      await rm(join(cache, name), { recursive: true, force: true });
    }
  }
}

/** The folder that holds `node_modules`, whether this file runs from `test/` or from `dist/test/`. */
function checkout(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "node_modules")) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
