/** `npm run bench -- NAME [arguments]`: prints what it measured, side by side. */
import { join } from "node:path";
import { prepare } from "../support/prepare.ts";

const benches: Record<string, () => Promise<{ run(...args: string[]): Promise<void> }>> = {
  cluster: () => import("./cluster.ts"),
  heap: () => import("./heap.ts"),
  bytes: () => import("./bytes.ts"),
  consumers: () => import("./consumers.ts"),
  server: () => import("./server.ts"),
  steps: () => import("./steps.ts"),
  mysql: () => import("./mysql.ts"),
  audiences: () => import("./audiences.ts"),
  sweeps: () => import("./sweeps.ts"),
  dashboard,
};

/** The pages of the dashboard in a browser, which has types and packages of its own. */
function dashboard(): Promise<{ run(): Promise<void> }> {
  prepare("dashboard");
  return import(join(import.meta.dirname, "../dashboard/large.js")) as Promise<{ run(): Promise<void> }>;
}

const [name = "", ...args] = process.argv.slice(2);
const bench = benches[name];
if (bench) {
  await (await bench()).run(...args);
} else {
  console.log(`npm run bench -- ${Object.keys(benches).join(" | ")}`);
  if (name !== "") process.exitCode = 2;
}
