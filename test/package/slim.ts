/**
 * Makes `dist` smaller before it is packed: removes the declarations that no entry point needs, and the comments and the white space
 * of the code. Names stay, and lines are short, so that a stack trace is of use.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../../..");
const { exports: entries } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, string>;
};
const files = ["lib", "adapters", "server"].flatMap((folder) =>
  readdirSync(join(root, "dist", folder), { recursive: true, encoding: "utf8" }).map((name) =>
    join(root, "dist", folder, name),
  ),
);

/** The lines to keep of each declaration file, by their numbers. */
const kept = new Map<string, Set<number>>();

/** Keeps a file; of a folder's face, which only hands names on, the lines that have one of the names. */
function keep(file: string, names: readonly string[] | null): void {
  const lines = linesOf(file);
  const isFace = lines.every((line) => /^export .* from |^\/\*\*.*\*\/$/.test(line));
  const numbers = kept.get(file) ?? new Set();
  kept.set(file, numbers);
  for (const [number, line] of lines.entries()) {
    const words: string[] = line.match(/\w+/g) ?? [];
    const isWanted = !isFace || !names || line.includes(" * from ") || names.some((name) => words.includes(name));
    if (!isWanted || numbers.has(number)) continue;
    numbers.add(number);
    const [, own] = /^(?:im|ex)port (?:type )?\{(.*)\}/.exec(line) ?? [];
    const ownNames = own?.match(/\w+/g)?.filter((word) => word !== "type" && word !== "as") ?? null;
    for (const [, path] of line.matchAll(/(?:\bfrom |\bimport\(|^import )"(\.[^"]+)\.[jt]s"/g))
      keep(join(file, "..", `${path}.d.ts`), ownNames);
  }
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

for (const path of Object.values(entries)) keep(join(root, path.replace(/\.js$/, ".d.ts")), null);
for (const file of files.filter((name) => name.endsWith(".d.ts"))) {
  const numbers = kept.get(file);
  if (numbers)
    writeFileSync(
      file,
      linesOf(file)
        .filter((_, number) => numbers.has(number))
        .join("\n"),
    );
  else rmSync(file);
}

await build({
  absWorkingDir: root,
  entryPoints: files.filter((file) => file.endsWith(".js")),
  outdir: "dist",
  outbase: "dist",
  allowOverwrite: true,
  minifyWhitespace: true,
  lineLimit: 120,
  // Else it adds "use strict", which a module has.
  tsconfigRaw: {},
  logLevel: "warning",
});
