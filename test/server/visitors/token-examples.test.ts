/** The examples that sign a token: by a vector of what each writes, and run where the machine has the language. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTokenReader } from "../../../server/visitors/tokens.ts";
import { suite } from "../../support/suite.ts";
import { secretsOfTest, signTexts } from "./tokens.ts";

const root = join(import.meta.dirname, "../../../..");
const folder = join(root, "examples/tokens");
/** Lines that are no code of the host: blank ones, comments, and those that name the language or what it imports. */
const around = /^(?:import \([^)]*\)|(?:#|\/\/|package |import |require ).*|<\?php|\s*)$/gm;
const [secret = ""] = secretsOfTest.default;
const at = 1_800_000_000;
const header = '{"alg":"HS256","typ":"JWT"}';
const times = `"iat":${at},"exp":${at + 3_600}`;

/** The command, and the header and claims that it signs for `é/ada`: each language writes JSON in its own way. */
const languages: Readonly<Record<string, [command: string[], header: string, claims: string]>> = {
  php: [["php"], header, `{"sub":"\\u00e9\\/ada",${times}}`],
  py: [
    ["python3"],
    '{"alg": "HS256", "typ": "JWT"}',
    `{"sub": "\\u00e9/ada", ${times.replaceAll(":", ": ").replace(",", ", ")}}`,
  ],
  go: [["go", "run"], header, `{"exp":${at + 3_600},"iat":${at},"sub":"é/ada"}`],
  rb: [["ruby"], header, `{"sub":"é/ada",${times}}`],
};

suite("the examples that sign a token", (test) => {
  test("stand beside two lines of HTML", () => {
    const readme = readFileSync(join(root, "server/visitors/README.md"), "utf8");
    const page = /### With a token in the page\n\n```html\n([^]*?)```/.exec(readme)![1]!;
    assert.equal(page.match(/^.+$/gm)!.length, 2, page);
    assert.match(page, /^<script type="module" src=.*\n<whodid-checklist [^]*<\/whodid-checklist>\n$/);
  });

  for (const [ending, [[program = "", ...given], ownHeader, ownClaims]] of Object.entries(languages)) {
    const file = join(folder, `token.${ending}`);

    test(`token.${ending} signs in at most ten lines, with its call in twelve, and the door takes what it writes`, () => {
      const signing = /^(?:def|func\w*) visitor_?token[^]*?(?=\n\n\w|\n\n\n)/im.exec(readFileSync(file, "utf8"))![0];
      assert.ok(signing.split("\n").filter((line) => line !== "").length <= 10, signing);
      const host = readFileSync(file, "utf8").replace(around, "").match(/^.+$/gm)!;
      assert.ok(host.length <= 12, host.join("\n"));
      const read = createTokenReader(secretsOfTest, false, () => at * 1_000);
      assert.equal(read(`Bearer ${signTexts(ownHeader, ownClaims, secret)}`)?.externalId, "é/ada");
    });

    const env = { ...process.env, VISITOR_SECRET: secret };
    const { error, stdout, stderr } = spawnSync(program, [...given, file, "é/ada"], { env, encoding: "utf8" });
    if (error) {
      process.once("exit", () => console.log(`TOKEN.${ending.toUpperCase()} NOT TESTED: there is no ${program}`));
      continue;
    }
    test(`token.${ending} runs, and writes that`, () => {
      assert.equal(createTokenReader(secretsOfTest, false, Date.now)(`Bearer ${stdout}`)?.externalId, "é/ada", stderr);
      const [first, claims] = stdout.split(".").map((part) => Buffer.from(part, "base64url").toString());
      const sent = /"?iat"?: ?(\d+)/.exec(claims!)![1]!;
      const moved = claims!.replace(sent, String(at)).replace(String(Number(sent) + 3_600), String(at + 3_600));
      assert.deepEqual([first, moved], [ownHeader, ownClaims]);
    });
  }
});
