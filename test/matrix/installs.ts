/** What the matrix runs on, in `.matrix`, which git ignores: the frameworks, the compiled mounts, and the built Next.js application. */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile, installPackages, root, runNode } from "../support/installs.ts";

export { root };
export const installs: string = join(root, ".matrix");

/** Installs what the lock file says, unless it is there. */
export function install(): void {
  installPackages("matrix", installs);
}

/** Type-checks the examples and the mounts where the frameworks are, and builds the Next.js example. */
export function build(): void {
  for (const folder of ["src", "out", "next"]) rmSync(join(installs, folder), { recursive: true, force: true });
  const examples = join(root, "examples/mounts");
  cpSync(examples, join(installs, "src/examples"), {
    recursive: true,
    filter: (path) => path !== join(examples, "next"),
  });
  cpSync(join(root, "test/matrix/apps.ts"), join(installs, "src/apps.ts"));
  compile(installs);

  const next = join(installs, "next");
  cpSync(join(examples, "next"), next, { recursive: true });
  // The package and its dependencies are linked, not installed: they lie outside of what Next.js takes for the project.
  writeFileSync(join(next, "next.config.mjs"), 'export default { turbopack: { root: "/" } };\n');
  // From where the package lies, its types would not find React's.
  const compilerOptions = { paths: { react: ["../node_modules/@types/react"] } };
  writeFileSync(join(next, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  runNode([join(installs, "node_modules/next/dist/bin/next"), "build"], next, { NEXT_TELEMETRY_DISABLED: "1" });
}

/** The versions of Node that the package is tried on, oldest first: the one that runs this, and two that are installed beside the frameworks. */
export function nodes(): Record<string, string> {
  if (!process.version.startsWith("v20.")) throw new Error("Run this on Node 20: it brings Node 22 and 24 itself.");
  return {
    "Node 20": process.execPath,
    "Node 22": join(installs, "node_modules/node22/bin/node"),
    "Node 24": join(installs, "node_modules/node24/bin/node"),
  };
}
