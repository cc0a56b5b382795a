import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The first line that `npm start` prints, on either output, in the folder; then it is stopped. */
export async function firstLineOf(folder: string, environment: Record<string, string> = {}): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const npm = spawn("npm", ["--silent", "start"], {
    cwd: folder,
    env: { PATH, HOME, PORT: "0", ...environment },
    // A group of its own, because npm starts a shell that starts node.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    return await new Promise((resolve, reject) => {
      for (const output of [npm.stdout, npm.stderr]) createInterface(output).once("line", resolve);
      npm.once("close", () => reject(new Error("npm start printed nothing")));
    });
  } finally {
    // What has printed its reason may have ended.
    if (npm.exitCode === null) process.kill(-npm.pid!, "SIGKILL");
  }
}
