import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PackageSet } from "./packages.ts";

const run = promisify(execFile);

type Apt = (own: readonly string[], command: readonly string[]) => Promise<string>;

/**
 * Has apt choose and download the packages and what this machine lacks for them, into the folder: by the system's package lists
 * if they serve, else by fresh private ones. `null` when they cannot be had, which standard error explains.
 */
export async function downloadPackages({ choices, suite }: PackageSet, work: string): Promise<string[] | null> {
  const archives = join(work, "archives");
  const lists = join(work, "lists");
  await mkdir(join(archives, "partial"), { recursive: true });
  await mkdir(join(lists, "partial"), { recursive: true });
  const apt = await privateApt(work);
  const privateLists = [`Dir::State::lists=${lists}`];
  const ways = suite === null ? [[], privateLists] : [[...privateLists, ...(await sourcesOf(suite, apt, work))]];
  // Those named come even if they are installed: they are to lie in the one folder.
  const install = ["install", "--reinstall", "--download-only", "--no-install-recommends"];
  let problem: unknown;
  for (const way of ways) {
    // One unreachable source among several is no reason to give up: the download tells.
    if (way.length > 0) await apt(way, ["update"]).catch(() => {});
    for (const names of choices) {
      try {
        await apt(way, [...install, ...names]);
        return (await readdir(archives)).filter((file) => file.endsWith(".deb")).map((file) => join(archives, file));
      } catch (error) {
        // Not in these lists, or they are older than the archive, or there is no network.
        problem ??= error;
      }
    }
  }
  console.error(problem instanceof Error ? problem.message : problem);
  return null;
}

/** An apt-get that writes into the folder alone. */
async function privateApt(work: string): Promise<Apt> {
  const configuration = join(work, "apt.conf");
  // Hooks of the system's /etc/apt, which is read earlier than this file, would refresh caches outside of ours.
  await writeFile(configuration, "#clear APT::Update;\n#clear DPkg;\n");
  const settings = [
    `Dir::Cache=${work}`,
    `Dir::Log=${work}`,
    // Nothing of the system's is written, so nothing needs a lock, which only root can take.
    "Debug::NoLocking=true",
    // Else root's apt downloads as a user who may not be allowed into this folder.
    "APT::Sandbox::User=root",
    "Acquire::Languages=none",
    "Acquire::Retries=1",
    "Acquire::http::Timeout=20",
    "Acquire::https::Timeout=20",
  ];
  return async (own, command) => {
    const options = [...settings, ...own].flatMap((setting) => ["-o", setting]);
    const given = ["-q", "-y", "-c", configuration, ...options, ...command];
    const { stdout } = await run("apt-get", given, { timeout: 300_000, maxBuffer: 2 ** 26 });
    return stdout;
  };
}

/** Settings that have apt know another suite of the archive that the system's packages come from, and nothing that is installed. */
async function sourcesOf(suite: string, apt: Apt, work: string): Promise<string[]> {
  const targets = await apt([], ["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]);
  const archives = new Set(targets.split("\n").filter((address) => /\/debian\/?$/.test(address)));
  const sources = join(work, "sources.list");
  await writeFile(sources, [...archives].map((archive) => `deb ${archive} ${suite} main\n`).join(""));
  const status = join(work, "status");
  await writeFile(status, "");
  return [`Dir::Etc::sourcelist=${sources}`, "Dir::Etc::sourceparts=-", `Dir::State::status=${status}`];
}
