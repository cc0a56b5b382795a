import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Ubuntu 22.04 has the second name only. */
const packageNames = ["mariadb-server-core", "mariadb-server-core-10.6"];

/** The process id of who fetches follows. */
const workPrefix = "fetching-";

/**
 * The folder that MariaDB's Debian or Ubuntu packages are unpacked in, with the libraries that this machine lacks; `null` when
 * they cannot be had. Fetches them the first time, into `node_modules/.cache` of the checkout, and changes nothing outside of it.
 */
export async function fetchMariadb(checkout: string): Promise<string | null> {
  const cache = join(checkout, "node_modules/.cache/whodid-mariadb");
  const system = /^PRETTY_NAME="?([^"\n]*)/m.exec(await readFile("/etc/os-release", "utf8"))?.[1] ?? "unknown";
  // The packages run on the system that they were chosen for: the libraries that it had were left out.
  const root = join(cache, `${system} ${process.arch}`.replaceAll(/[^a-zA-Z0-9.]+/g, "-"));
  if (existsSync(root)) return root;
  console.error(`Fetching MariaDB's packages into ${cache}, this once.`);
  await removeInterrupted(cache);
  const work = join(cache, `${workPrefix}${process.pid}`);
  try {
    const packages = await download(work);
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

/** Has apt choose and download what this machine lacks: by the system's package lists if they serve, else by fresh private ones. */
async function download(work: string): Promise<string[] | null> {
  const archives = join(work, "archives");
  const lists = join(work, "lists");
  await mkdir(join(archives, "partial"), { recursive: true });
  await mkdir(join(lists, "partial"), { recursive: true });
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
  const apt = (own: string[], command: string[]): Promise<unknown> => {
    const options = [...settings, ...own].flatMap((setting) => ["-o", setting]);
    return run("apt-get", ["-q", "-y", "-c", configuration, ...options, ...command], { timeout: 300_000 });
  };
  const install = ["install", "--download-only", "--no-install-recommends"];
  const privateLists = [`Dir::State::lists=${lists}`];
  let problem: unknown;
  for (const own of [[], privateLists]) {
    // One unreachable source among several is no reason to give up: the download tells.
    if (own === privateLists) await apt(own, ["update"]).catch(() => {});
    for (const name of packageNames) {
      try {
        await apt(own, [...install, name]);
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
