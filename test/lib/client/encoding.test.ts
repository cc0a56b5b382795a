import assert from "node:assert/strict";
import { inspect } from "node:util";
import { pathOf, queryOf, toJson } from "../../../lib/client/encoding.ts";
import { TrackerError } from "../../../lib/index.ts";
import { suite } from "../../support/suite.ts";

/** The issues that the call throws, each as `path: code`. */
function issuesOf(call: () => unknown): string[] {
  try {
    call();
  } catch (error) {
    if (error instanceof TrackerError) return error.issues.map(({ path, code }) => `${path}: ${code}`);
  }
  return [];
}

class Order {
  get total(): number {
    return 5;
  }
}
const circle: Record<string, unknown> = {};
circle["self"] = circle;

suite("the client's encoding", (test) => {
  test("sends what JSON can carry as it is, a Date as its time, and nothing for undefined", () => {
    const input = {
      text: "é\ud83d\ude00",
      number: -0.5,
      flag: false,
      none: null,
      left: undefined,
      list: [1, { a: "b" }],
    };
    assert.equal(
      toJson({ ...input, at: new Date(0) }),
      '{"text":"é😀","number":-0.5,"flag":false,"none":null,"list":[1,{"a":"b"}],"at":"1970-01-01T00:00:00.000Z"}',
    );
  });

  for (const [input, issue] of [
    [{ properties: { total: NaN } }, "properties.total: out_of_range"],
    [{ properties: { total: Infinity } }, "properties.total: out_of_range"],
    [{ properties: { total: 1n } }, "properties.total: wrong_type"],
    [{ properties: { total: () => 1 } }, "properties.total: wrong_type"],
    [{ properties: new Map() }, "properties: wrong_type"],
    [new Order(), ": wrong_type"],
    [{ name: "\ud800" }, "name: invalid_format"],
    [{ items: [1, undefined] }, "items.1: required"],
    [{ createdAt: new Date(NaN) }, "createdAt: invalid_format"],
    [{ createdAt: new Date(8.64e15) }, "createdAt: out_of_range"],
    [undefined, ": required"],
  ] as [unknown, string][]) {
    test(`refuses what JSON would change on its way: ${issue} in ${inspect(input)}`, () =>
      assert.deepEqual(
        issuesOf(() => toJson(input)),
        [issue],
      ));
  }

  test("refuses an input that holds itself", () => {
    assert.match(issuesOf(() => toJson(circle))[0]!, /self: wrong_type$/);
  });

  test("makes texts parts of a path, whatever they hold", () => {
    assert.equal(pathOf("/a/:key/b/:id", ["u/1 ?#%:id", "é$&"]), "/a/u%2F1%20%3F%23%25%3Aid/b/%C3%A9%24%26");
  });

  test("names every text that no path can carry", () => {
    const values = ["", ".", "..", "\udfff", null, undefined, 5, "fine"];
    assert.deepEqual(
      issuesOf(() => pathOf("/:a/:b/:c/:d/:e/:f/:g/:h", values)),
      [
        "a: too_short",
        "b: invalid_format",
        "c: invalid_format",
        "d: invalid_format",
        "e: not_allowed_null",
        "f: required",
        "g: wrong_type",
      ],
    );
  });

  test("makes a query of what is given, and none of nothing", () => {
    assert.deepEqual([queryOf(undefined), queryOf({}), queryOf({ cursor: undefined })], ["", "", ""]);
    assert.equal(queryOf({ limit: 5, eventKey: "a b&c" }), "?limit=5&eventKey=a+b%26c");
    for (const [page, issue] of [
      [{ limit: "5" }, "limit: wrong_type"],
      [{ cursor: 5 }, "cursor: wrong_type"],
      [{ cursor: null }, "cursor: not_allowed_null"],
      [{ query: "\ud800" }, "query: invalid_format"],
      [null, ": wrong_type"],
      [[], ": wrong_type"],
    ] as const) {
      assert.deepEqual(
        issuesOf(() => queryOf(page)),
        [issue],
      );
    }
  });
});
