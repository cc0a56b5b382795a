/**
 * `npm run long -- NAME [ARGUMENTS]` runs `test/NAME/run.ts`, which `npm test` leaves out. First it installs the packages that
 * the folder locks for itself, and compiles a folder that has a `tsconfig.json` of its own.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { prepare } from "./support/prepare.ts";

const [node, , name = "", ...given] = process.argv;
// npm hands on a second `--`.
const args = given[0] === "--" ? given.slice(1) : given;
const root = join(import.meta.dirname, "../..");
if (name === "" || !existsSync(join(root, "test", name, "run.ts"))) {
  console.error("Which one? test/README.md lists the longer runs.");
  process.exit(2);
}
prepare(name);
const program = join(import.meta.dirname, name, "run.js");
process.argv = [node!, program, ...args];
await import(program);
