/** `npm run long -- orms`: installs the ORMs, compiles the apps and the examples, and runs the cases on a Node that all ORMs take. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, install, newNode } from "./installs.ts";

install();
build();
const cases = [join(import.meta.dirname, "cases.js"), ...process.argv.slice(2)];
const { status } = spawnSync(newNode, cases, { stdio: "inherit", timeout: 25 * 60_000 });
process.exitCode = status ?? 1;
