import assert from "node:assert/strict";
import fc from "fast-check";
import { parseJson, toSortedJson } from "../../../server/dashboard/app/rules/json.ts";
import { suite } from "../../support/suite.ts";

const notYet = "This is not JSON yet:";
const problems: readonly [string, string][] = [
  ['{\n  "all": [,]\n}', "look at “,” at line 2, column 11."],
  ['{ "all": [', "it ends too early, at line 1, column 11."],
  ["", "it ends too early, at line 1, column 1."],
  ['{ "a": 1, }', "look at “}” at line 1, column 11."],
  ['{ "a" 1 }', "look at “1” at line 1, column 7."],
  ["{\n'a': 1 }", "look at “'” at line 2, column 1."],
  ['[1, "a]', 'look at “"” at line 1, column 5.'],
  ["[01]", "look at “1” at line 1, column 3."],
  ["[1}", "look at “}” at line 1, column 3."],
  ['{"a":1}\n🙂', "look at “🙂” at line 2, column 1."],
  ["[tRUE]", "look at “t” at line 1, column 2."],
];

suite("the JSON of a rule", (test) => {
  for (const [text, told] of problems)
    test(`what is wrong is told with its position: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseJson(text), { rule: null, problem: `${notYet} ${told}` });
    });

  test("a definition whose fields a database returns in another order is the same text", () => {
    const [one, other] = [
      { key: "a", rule: { b: [{ d: 1, e: 2 }], c: null } },
      { rule: { c: null, b: [{ e: 2, d: 1 }] }, key: "a" },
    ];
    assert.equal(toSortedJson(one), toSortedJson(other));
    assert.notEqual(toSortedJson({ items: [1, 2] }), toSortedJson({ items: [2, 1] }));
  });

  test("what stands before the position that is told is the beginning of JSON", () => {
    const edited = fc.tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "]", "}", '"', ":", "x", "\n"));
    fc.assert(
      fc.property(edited, ([json, seed, character]) => {
        const index = seed % json.length;
        const text = json.slice(0, index) + character + json.slice(index + 1);
        const { problem } = parseJson(text);
        if (problem === null) return;
        const [, line, column] = /at line (\d+), column (\d+)\.$/.exec(problem)!.map(Number);
        const lines = text.split("\n");
        const at = lines.slice(0, line! - 1).join("\n").length + (line === 1 ? 0 : 1) + column! - 1;
        assert.ok(isBeginning(text.slice(0, at)), text);
        assert.equal(/ends too early/.test(problem), at === text.length);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a text that is JSON has no problem", () => {
    assert.deepEqual(parseJson("null"), { rule: null, problem: null });
  });
});

/** By what Node says of it. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    return new RegExp(`^Unexpected end| at position ${text.length}\\b`).test(message);
  }
}
