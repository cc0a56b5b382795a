/** Tests of a text, in bytes, or of a number. A test of NULL may be NULL. */
import type { ValueTest } from "../../../../lib/storage/rows.ts";
import type { Scalar } from "../../../../lib/model/types.ts";
import { nextAbove } from "../../../../lib/decisions/value-tests.ts";
import { fragment, joined, sqlOf, type Fragment } from "../../sql/index.ts";

export const never: Fragment = sqlOf("FALSE");

export function allOf(...tests: readonly Fragment[]): Fragment {
  return grouped(tests, " AND ");
}

export function anyOf(...tests: readonly Fragment[]): Fragment {
  return tests.length === 0 ? never : grouped(tests, " OR ");
}

function grouped(tests: readonly Fragment[], operator: string): Fragment {
  return fragment`(${joined(tests, operator)})`;
}

export function textTest(text: Fragment, test: ValueTest): Fragment {
  switch (test.operator) {
    case "is_set":
      return fragment`${text} IS NOT NULL`;
    case "one_of":
      return textAmong(text, test.values);
    case "contains":
      return fragment`LOCATE(${test.text}, ${text}) > 0`;
    case "starts_with":
      return fragment`LEFT(${text}, ${Buffer.byteLength(test.text)}) = ${test.text}`;
    case "ends_with":
      return fragment`RIGHT(${text}, ${Buffer.byteLength(test.text)}) = ${test.text}`;
    case "within":
      return never;
  }
}

/** Uses one placeholder for all values, because a statement has at most 65,535. They are hexadecimal, so none contains a comma. */
export function textAmong(text: Fragment, values: readonly Scalar[]): Fragment {
  const texts = values.filter((value) => typeof value === "string");
  const [first] = texts;
  if (first === undefined) return never;
  if (texts.length === 1) return fragment`${text} = ${first}`;
  // The prefix `x` keeps an empty text from becoming an empty element.
  const listed = texts.map((value) => `x${Buffer.from(value).toString("hex").toUpperCase()}`);
  return fragment`FIND_IN_SET(CAST(CONCAT('x', HEX(${text})) AS BINARY), ${listed.join()}) > 0`;
}

export function numberTest(number: Fragment, test: ValueTest): Fragment {
  switch (test.operator) {
    case "is_set":
      return fragment`${number} IS NOT NULL`;
    case "one_of":
      return jsonAmong(number, test.values);
    case "within": {
      const { from, to } = test;
      if (from !== null && to !== null) {
        // BETWEEN computes the number once. It includes its upper bound, so the bound is the next smaller double.
        return to > from ? fragment`${number} BETWEEN ${from} AND ${-nextAbove(-to)}` : never;
      }
      return withinBounds(number, from, to);
    }
    default:
      return never;
  }
}

/** Tests whether the number is `from` or more, and less than `to`. Without bounds, whether it is set. */
export function withinBounds(number: Fragment, from: number | null, to: number | null): Fragment {
  const bounds = [
    ...(from === null ? [] : [fragment`${number} >= ${from}`]),
    ...(to === null ? [] : [fragment`${number} < ${to}`]),
  ];
  return bounds.length > 0 ? allOf(...bounds) : fragment`${number} IS NOT NULL`;
}

/** Tests whether `json` is one of the numbers and booleans. As JSON they contain no commas. */
export function jsonAmong(json: Fragment, values: readonly Scalar[]): Fragment {
  const others = values.filter((value) => typeof value !== "string").map((value) => JSON.stringify(value));
  return others.length > 0 ? fragment`FIND_IN_SET(CAST(${json} AS BINARY), ${others.join()}) > 0` : never;
}
