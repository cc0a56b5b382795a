/** The image, built without an engine: what the Dockerfile says is done step by step, in a folder for each stage. */
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../matrix/installs.ts";
import { freePort } from "../support/loopback.ts";
import type { Database } from "../support/database.ts";
import { databaseSuite } from "../support/mysql.ts";

interface Stage {
  folder: string;
  environment: Record<string, string>;
  user: string;
  exposed: string;
  health: string[];
  command: string[];
}

/** The names that a build gets: all others are ignored. */
const context = readFileSync(join(root, ".dockerignore"), "utf8").trim().split("\n");

/** Carries out the instructions, and returns the last stage. Throws for one that it does not know. */
function build(folder: string, dockerfile: string): Stage {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  const inside = (path: string): string => join(stage!.folder, "app", path.replace(/^\/app\/?/, ""));
  const instructions: Record<string, (rest: string) => void> = {
    FROM(rest) {
      const [image = "", , name = "last"] = rest.split(" ");
      assert.match(image, /^node:\d+-slim$/);
      stage = { folder: join(folder, name), environment: {}, user: "root", exposed: "", health: [], command: [] };
      stages.set(name, stage);
    },
    WORKDIR: () => mkdirSync(inside(""), { recursive: true }),
    COPY(rest) {
      const [first = "", ...others] = rest.split(" ");
      const from = /^--from=(\w+)$/.exec(first)?.[1];
      const paths = from === undefined ? [first, ...others] : others;
      const target = paths.pop()!;
      for (const path of paths) {
        if (from === undefined) assert.ok(context[0] === "*" && context.includes(`!${path}`), `${path} is ignored`);
        const source = from === undefined ? join(root, path) : join(stages.get(from)!.folder, path);
        cpSync(source, inside(target === "./" ? path : target), { recursive: true, verbatimSymlinks: true });
      }
    },
    RUN(rest) {
      const env = { ...process.env, ...stage!.environment };
      const { status, stderr } = spawnSync("sh", ["-c", rest], { cwd: inside(""), env, encoding: "utf8" });
      assert.equal(status, 0, `${rest}\n${stderr}`);
    },
    ENV(rest) {
      const [name = "", value = ""] = rest.split("=");
      stage!.environment[name] = value;
    },
    USER: (rest) => void (stage!.user = rest),
    EXPOSE: (rest) => void (stage!.exposed = rest),
    HEALTHCHECK: (rest) => void (stage!.health = JSON.parse(rest.replace("CMD ", "")) as string[]),
    CMD: (rest) => void (stage!.command = JSON.parse(rest) as string[]),
  };
  for (const line of dockerfile.split("\n").filter((one) => one !== "" && !one.startsWith("#"))) {
    const [name = "", rest = ""] = line.split(/ (.*)/);
    assert.ok(Object.hasOwn(instructions, name), line);
    instructions[name]!(rest);
  }
  return stage!;
}

/** Starts a command of the stage, as another user than root where that can be. */
function start({ folder, environment }: Stage, [program, ...args]: string[], given: object): ChildProcess {
  const nobody = 65_534;
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const env = { PATH: process.env["PATH"], ...environment, ...given } as NodeJS.ProcessEnv;
  return spawn(program!, args, { cwd: join(folder, "app"), env, stdio: ["ignore", "pipe", "inherit"], ...user });
}

export function testImage(shared: Database | null): void {
  databaseSuite("the image", shared, (test, { createDatabase }) => {
    test("is built by the steps of its Dockerfile, serves on a database, is healthy, and ends at SIGTERM", async () => {
      const folder = mkdtempSync(join(tmpdir(), "whodid-image-"));
      chmodSync(folder, 0o755);
      try {
        const image = build(folder, readFileSync(join(root, "server/Dockerfile"), "utf8"));
        assert.deepEqual([image.user, image.exposed, image.environment["HOST"]], ["node", "3000", "0.0.0.0"]);
        const PORT = String(await freePort());
        const isHealthy = async (): Promise<boolean> =>
          (await once(start(image, image.health, { PORT }), "close"))[0] === 0;
        assert.equal(await isHealthy(), false);
        const server = start(image, image.command, { PORT, DATABASE_URL: await createDatabase() });
        await once(createInterface(server.stdout!), "line");
        assert.equal(await isHealthy(), true);
        server.kill("SIGTERM");
        assert.deepEqual(await once(server, "close"), [0, null]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
}
