import { execFile, spawn } from "node:child_process";
import { appendFileSync, cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../support/loopback.ts";
import { eventually } from "./eventually.ts";

const root = join(import.meta.dirname, "../../..");
const program = join(import.meta.dirname, "node_modules/next/dist/bin/next");
const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" as const };

/** Builds the example for Next.js, with these lines at the end of `tracker.ts`, and runs with its origin. */
export async function servingNext(lines: string, run: (origin: string) => Promise<void>): Promise<void> {
  const folder = join(import.meta.dirname, "next-app");
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, "examples/mounts/next"), folder, { recursive: true });
  // The packages may be linked from elsewhere.
  writeFileSync(join(folder, "next.config.mjs"), 'export default { turbopack: { root: "/" } };\n');
  // From where the package lies, its types would not find React's.
  const compilerOptions = { paths: { react: ["../node_modules/@types/react"] } };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  appendFileSync(join(folder, "tracker.ts"), lines);
  const options = { cwd: folder, env: environment };
  await promisify(execFile)(process.execPath, [program, "build"], options);
  const port = await freePort();
  const server = spawn(process.execPath, [program, "start", "-p", String(port)], { ...options, stdio: "ignore" });
  const origin = `http://127.0.0.1:${port}`;
  try {
    await eventually(() =>
      fetch(`${origin}/me/whodid.js`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    await run(origin);
  } finally {
    server.kill("SIGKILL");
  }
}
