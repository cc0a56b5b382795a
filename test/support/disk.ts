import { execFileSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Never waits for the disk: a server that is killed loses nothing, only a machine that stops does. */
export const withoutSync: readonly string[] = ["--innodb-flush-method=nosync", "--loose-debug-no-sync"];

/**
 * A server that is killed loses the log that no COMMIT has written. In `/dev/shm` MariaDB loses none: such a server must run
 * elsewhere.
 */
export const keepsLogBack = "--innodb-flush-log-at-timeout=2700";

/** What Linux keeps in memory, and the bytes that must be free there. */
const memory = { folder: "/dev/shm", freeMin: 4 * 1_024 ** 3 };

/**
 * Where a server with these arguments has its folder: in memory, if it never syncs and writes its log soon. On a disk it can wait
 * for seconds while the system writes the files of others.
 */
export function homeOf(serverArguments: readonly string[]): string {
  const syncs = !withoutSync.every((argument) => serverArguments.includes(argument));
  return syncs || serverArguments.includes(keepsLogBack) ? tmpdir() : temporaryFolder();
}

/** A folder in memory, if there is room: whoever writes a line there does not wait for a disk. */
export function temporaryFolder(): string {
  return hasRoom() ? memory.folder : tmpdir();
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory.folder);
    return bavail * bsize >= memory.freeMin;
  } catch {
    return false;
  }
}

/** What the error says first when a disk cannot be mounted here, as where one is not allowed to be root. */
export const cannotMount = "No disk can be mounted";

/** Mounts memory as a disk of that size at the folder. */
export function mountDisk(folder: string, megabytes: number): void {
  const owner = `uid=${process.getuid!()},gid=${process.getgid!()},mode=700`;
  try {
    asRoot("mount", "-t", "tmpfs", "-o", `size=${megabytes}m,${owner}`, "whodid", folder);
  } catch (error) {
    throw new Error(`${cannotMount}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Mounts memory that is not `/dev/shm`, where nothing waits for a disk; `false` if this process is not root, or may not mount. */
export function mountMemory(folder: string): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    mountDisk(folder, 1_024);
    return true;
  } catch {
    return false;
  }
}

/** Takes it away with all that is on it. */
export function unmountDisk(folder: string): void {
  asRoot("umount", "--lazy", folder);
}

function asRoot(...command: string[]): void {
  const [program, ...args] = process.getuid!() === 0 ? command : ["sudo", "-n", ...command];
  execFileSync(program!, args, { stdio: "pipe" });
}
