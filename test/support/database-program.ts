import { execFile } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { fetchPackages, type PackageSet } from "./packages.ts";

const run = promisify(execFile);

/** A server that can be started: where it is, and what it needs to run from there. */
export interface ServerProgram {
  /** The dynamic loader that it runs through and what that is given; empty for the system's own. */
  loader: string[];
  path: string;
  /** Arguments that every run of it needs. */
  arguments: string[];
  /** What its environment has beside ours. */
  environment: Record<string, string>;
  /** The SQL files that make MariaDB's own tables, in order; `null` for MySQL, which needs none. */
  systemTables: string[] | null;
}

/** Ubuntu 22.04 has the second name only. */
const mariadb: PackageSet = {
  name: "mariadb",
  choices: [["mariadb-server-core"], ["mariadb-server-core-10.6"]],
  suite: null,
};

/** The machine's own MariaDB or MySQL, else MariaDB from the archive of a Debian or Ubuntu, else `null`. */
export async function findServerProgram(): Promise<ServerProgram | null> {
  const installed = findProgram("mariadbd") ?? findProgram("mysqld");
  return installed === null ? fetchServerProgram(mariadb, "mariadbd") : describeProgram(installed, [], []);
}

/** The server of that name among the packages; `null` where they cannot be had. */
export async function fetchServerProgram(set: PackageSet, name: string): Promise<ServerProgram | null> {
  if (findProgram("apt-get") === null || findProgram("dpkg") === null) return null;
  const root = await fetchPackages(set);
  if (root === null) return null;
  const path = join(root, "usr/sbin", name);
  const libraries = libraryFolders(root);
  if (set.suite === null) return describeProgram(path, libraries, []);
  return describeProgram(path, [], [findLoader(libraries), "--library-path", libraries.join(delimiter)]);
}

/** What every run of the program on the folder needs, the one that makes its tables included; `--no-defaults` must come first. */
export function argumentsOf(program: ServerProgram, folder: string): string[] {
  return [
    "--no-defaults",
    ...program.arguments,
    `--datadir=${join(folder, "data")}`,
    `--tmpdir=${join(folder, "tmp")}`,
    // MySQL's default is a system folder that it may not be allowed to read, and then it refuses to start.
    `--secure-file-priv=${join(folder, "tmp")}`,
    ...(process.getuid?.() === 0 ? ["--user=root"] : []),
    "--skip-name-resolve",
    "--skip-log-bin",
    "--performance-schema=OFF",
    // Containers often forbid it or have run out of it.
    "--innodb-use-native-aio=OFF",
    // Writing the log out to the system is enough: a killed server loses nothing, only a machine that stops does.
    "--innodb-flush-log-at-trx-commit=2",
    // One of them knows each: small files, and no second port.
    "--loose-innodb-log-file-size=8M",
    "--loose-innodb-redo-log-capacity=32M",
    "--loose-mysqlx=OFF",
  ];
}

/** Servers are often installed where only root's `PATH` leads. */
function findProgram(name: string): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const others = ["/usr/sbin", "/usr/local/sbin", "/usr/libexec", "/usr/local/mysql/bin"];
  return [...folders, ...others].map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

async function describeProgram(path: string, libraries: string[], loader: string[]): Promise<ServerProgram> {
  const inherited = process.env["LD_LIBRARY_PATH"];
  if (libraries.length > 0 && inherited) libraries.push(inherited);
  const environment = libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(delimiter) } : {};
  const [file, ...before] = [...loader, path];
  const env = { ...process.env, ...environment };
  const { stdout } = await run(file!, [...before, "--no-defaults", "--version"], { env });
  const base = dirname(dirname(realpathSync(path)));
  if (!stdout.includes("MariaDB")) {
    return { loader, path, arguments: [`--basedir=${base}`], environment, systemTables: null };
  }
  // Debian's 10.11 says "mysql", its 11.8 "mariadb", and the files are named like their folder.
  const family = ["mariadb", "mysql"].find((name) =>
    existsSync(join(base, "share", name, `${name}_system_tables.sql`)),
  );
  if (family === undefined) throw new Error(`${path}: no ${base}/share/*/*_system_tables.sql`);
  const share = join(base, "share", family);
  return {
    loader,
    path,
    arguments: [`--basedir=${base}`, `--lc-messages-dir=${share}`, `--character-sets-dir=${join(share, "charsets")}`],
    environment,
    systemTables: ["system_tables", "performance_tables", "system_tables_data"].map((name) =>
      join(share, `${family}_${name}.sql`),
    ),
  };
}

/** Where the unpacked packages have their libraries. */
export function libraryFolders(root: string): string[] {
  const parents = [join(root, "usr/lib"), join(root, "lib")].filter((folder) => existsSync(folder));
  return parents.flatMap((parent) =>
    readdirSync(parent)
      .filter((name) => name.includes("-linux-gnu"))
      .map((name) => join(parent, name)),
  );
}

function findLoader(libraries: readonly string[]): string {
  const files = libraries.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const loader = files.find((file) => /\/ld-linux[^/]*\.so\.\d+$/.test(file));
  if (loader === undefined) throw new Error(`No dynamic loader in ${libraries.join(", ")}`);
  return loader;
}
