/**
 * The README's snippets of the element, type-checked strictly by the compiler of each framework. The packages lie as pnpm lays
 * them: outside of the app, and each with its own dependencies and peers alone.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { suite } from "../support/suite.ts";

const root = join(import.meta.dirname, "../../..");
const installed = join(root, "test/frameworks/node_modules");
const readme = readFileSync(join(root, "server/visitors/README.md"), "utf8");
const manifest = readFileSync(join(root, "package.json"), "utf8");
const { peerDependencies } = JSON.parse(manifest) as { peerDependencies: object };

interface Framework {
  /** The file that the snippet is written to. */
  file: string;
  /** The names of the app's packages, with the folders where they are installed. */
  packages: Readonly<Record<string, string>>;
  /** The compiler, relative to the installed packages, and its arguments. */
  compiler: readonly string[];
  /** An attribute of a wrong type. */
  wrong: string;
  options?: object;
}

const frameworks: Readonly<Record<string, Framework>> = {
  "React 18": {
    file: "app.tsx",
    packages: { "@types/react": "types-react18" },
    compiler: ["../../../node_modules/typescript/bin/tsc"],
    wrong: "checklist={5}",
  },
  "React 19": {
    file: "app.tsx",
    packages: { "@types/react": "@types/react" },
    compiler: ["../../../node_modules/typescript/bin/tsc"],
    wrong: "checklist={5}",
  },
  Vue: {
    file: "App.vue",
    packages: { vue: "vue" },
    compiler: ["vue-tsc/bin/vue-tsc.js"],
    wrong: ':checklist="5"',
    options: { vueCompilerOptions: { strictTemplates: true } },
  },
  Svelte: {
    file: "App.svelte",
    packages: { svelte: "svelte" },
    compiler: [
      "svelte-check/bin/svelte-check",
      "--workspace",
      ".",
      "--tsconfig",
      "tsconfig.json",
      "--fail-on-warnings",
    ],
    wrong: "checklist={5}",
  },
};

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  jsx: "react-jsx",
  types: [],
};

/** An app with the package and those of the framework. */
function createApp({ packages, options }: Framework): string {
  const folder = mkdtempSync(join(tmpdir(), "whodid-frameworks-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  const own = join(folder, "store/node_modules/whodid");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), manifest);
  const isDeclared = (path: string): boolean => /\.d\.ts$|\/[^.]*$/.test(path);
  cpSync(join(root, "dist"), join(own, "dist"), {
    recursive: true,
    filter: (path) => isDeclared(path) && !path.includes("dist/test"),
  });
  link(own, join(folder, "app/node_modules/whodid"));
  for (const [name, place] of Object.entries(packages)) {
    link(join(installed, place), join(folder, "app/node_modules", name));
    if (name in peerDependencies) link(join(installed, place), join(folder, "store/node_modules", name));
  }
  const config = { compilerOptions, include: ["*"], ...options };
  writeFileSync(join(folder, "app/tsconfig.json"), JSON.stringify(config));
  return join(folder, "app");
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** The README's block that begins with this comment. */
function snippetOf(name: string): string {
  return new RegExp(`\`\`\`\\w+\\n((?://|<!--) ${name}[^]*?)\`\`\``).exec(readme)![1]!;
}

suite("the types of the element", (test) => {
  for (const [name, framework] of Object.entries(frameworks)) {
    test(`are right for the README's snippet in ${name}, under pnpm too, and refuse an attribute of a wrong type`, () => {
      const snippet = snippetOf(name.replace(/ \d+$/, ""));
      const app = createApp(framework);
      const [program = "", ...given] = framework.compiler;
      const compile = (text: string): string => {
        writeFileSync(join(app, framework.file), text);
        const { status, stdout, stderr } = spawnSync(process.execPath, [join(installed, program), ...given], {
          cwd: app,
          encoding: "utf8",
        });
        return status === 0 ? "" : `${stdout}${stderr}`;
      };
      const strict = snippet.replace("<script", '<script lang="ts"');
      assert.equal(compile(strict), "");
      const wrong = strict.replace('checklist="onboarding"', framework.wrong);
      assert.match(compile(wrong), /number' is not assignable to type 'string/);
    });
  }
});
