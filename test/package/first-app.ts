import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../matrix/installs.ts";

/** The README's Express app, on a port that is free; at most twelve lines. */
export async function firstApp(): Promise<string> {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, code = ""] = /^```ts\n\/\/ app\.mjs.*\n([\s\S]*?)^```/m.exec(readme) ?? [];
  const lines = code.split("\n").filter((line) => line !== "");
  assert.ok(lines.length >= 5 && lines.length <= 12, `${lines.length} lines`);
  return code.replaceAll("3000", String(await freePort()));
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** Runs the app, and the command that it prints, and returns what that prints. */
export async function recordFirstEvent(folder: string, node: string): Promise<string> {
  writeFileSync(join(folder, "app.mjs"), await firstApp());
  const app = spawn(node, ["app.mjs"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [curl] = (await once(createInterface(app.stdout), "line")) as [string];
    const shell = spawn("sh", ["-c", curl], { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    shell.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    await once(shell, "close");
    return printed;
  } finally {
    app.kill("SIGKILL");
  }
}
