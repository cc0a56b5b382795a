import { execFileSync } from "node:child_process";

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

/** Takes it away with all that is on it. */
export function unmountDisk(folder: string): void {
  asRoot("umount", "--lazy", folder);
}

function asRoot(...command: string[]): void {
  const [program, ...args] = process.getuid!() === 0 ? command : ["sudo", "-n", ...command];
  execFileSync(program!, args, { stdio: "pipe" });
}
