/**
 * Bundles the dashboard and the module of visitors' pages for the browser. Each `bundle.js` in `dist`
 * exports its files as texts, so that a host can bundle them too. The module is also a file of its own, for the bundlers of pages.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../../..");
const app = join(root, "server/dashboard/app");

const options = {
  absWorkingDir: root,
  outdir: "bundle",
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  target: "es2022",
} as const;

const { outputFiles } = await build({
  ...options,
  entryPoints: [join(app, "main.tsx"), join(app, "style.css")],
  jsx: "automatic",
  jsxImportSource: "preact",
  banner: { js: `/*!\n${["preact", "uplot"].map(licenceOf).join("\n")}*/` },
});

const texts = {
  script: outputFiles.find(({ path }) => path.endsWith(".js"))!.text,
  style: outputFiles.find(({ path }) => path.endsWith(".css"))!.text,
  icon: readFileSync(join(app, "icon.svg"), "utf8"),
};
const lines = Object.entries(texts).map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`);
writeFileSync(join(import.meta.dirname, "bundle.js"), lines.join(""));

const {
  outputFiles: [page],
} = await build({ ...options, entryPoints: [join(root, "server/visitors/app/index.ts")] });
const visitors = join(import.meta.dirname, "../visitors");
// The compiler makes it only where it writes types.
mkdirSync(join(visitors, "app"), { recursive: true });
writeFileSync(join(visitors, "app/index.js"), page!.contents);
writeFileSync(join(visitors, "bundle.js"), `export const script = ${JSON.stringify(page!.text)};\n`);

/** The licence that a copy of the package must carry. */
function licenceOf(name: string): string {
  return `${name}: ${readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8")}`;
}
