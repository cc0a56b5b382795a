/** The examples that sign a token: run where the machine has the language, else by a vector of what it writes. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTokenReader } from "../../../server/visitors/tokens.ts";
import { suite } from "../../support/suite.ts";
import { secretsOfTest, signTexts } from "./tokens.ts";

const folder = join(import.meta.dirname, "../../../../examples/tokens");
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
  for (const [ending, [[program = "", ...given], ownHeader, ownClaims]] of Object.entries(languages)) {
    const file = join(folder, `token.${ending}`);

    test(`token.${ending} signs in at most ten lines, and the door takes what it writes`, () => {
      const signing = /^(?:def|func\w*) visitor_?token[^]*?(?=\n\n\w|\n\n\n)/im.exec(readFileSync(file, "utf8"))![0];
      assert.ok(signing.split("\n").filter((line) => line !== "").length <= 10, signing);
      const read = createTokenReader(secretsOfTest, false, () => at * 1_000);
      assert.equal(read(`Bearer ${signTexts(ownHeader, ownClaims, secret)}`)?.externalId, "é/ada");
    });

    const env = { ...process.env, VISITOR_SECRET: secret };
    const { error, stdout, stderr } = spawnSync(program, [...given, file, "é/ada"], { env, encoding: "utf8" });
    if (error) continue;
    test(`token.${ending} runs, and writes that`, () => {
      assert.equal(createTokenReader(secretsOfTest, false, Date.now)(`Bearer ${stdout}`)?.externalId, "é/ada", stderr);
      const [first, claims] = stdout.split(".").map((part) => Buffer.from(part, "base64url").toString());
      const sent = /"?iat"?: ?(\d+)/.exec(claims!)![1]!;
      const moved = claims!.replace(sent, String(at)).replace(String(Number(sent) + 3_600), String(at + 3_600));
      assert.deepEqual([first, moved], [ownHeader, ownClaims]);
    });
  }
});
