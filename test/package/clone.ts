import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { suite } from "../support/suite.ts";
import { createClone, outputOf } from "./projects.ts";

export function testClone(readme: string): void {
  const clone = createClone();
  suite("a clone without what it is developed with", (test) => {
    test("serves its dist by npm start", async () => {
      assert.match(await firstLineOf(clone, {}), /^whodid answers at http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    });

    test("asks for mysql2 where there is a DATABASE_URL, and has it by the line in its README", async () => {
      const environment = { DATABASE_URL: "mysql://nobody@127.0.0.1:9/nowhere" };
      assert.equal(
        await firstLineOf(clone, environment),
        "whodid: needs the package mysql2 for a database URL: npm i mysql2",
      );
      const [, line = ""] = /`npm (i --no-save [^`]*mysql2)`/.exec(readme) ?? [];
      outputOf(clone, "npm", ...line.split(" "));
      assert.match(await firstLineOf(clone, environment), /the database cannot be reached: ECONNREFUSED\.$/);
    });
  });
}

/** The first line that `npm start` prints, on either output, in the folder; then it is stopped. */
async function firstLineOf(folder: string, environment: Record<string, string>): Promise<string> {
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
