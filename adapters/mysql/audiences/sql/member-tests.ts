/** Tests of one value in a JSON column, such as an attribute of a contact or a property of an event. */
import type { ValueTest } from "../../../../lib/storage/rows.ts";
import { fragment, plain, type Fragment } from "../../sql/index.ts";
import { allOf, anyOf, jsonAmong, numberTest, textAmong, textTest } from "./value-tests.ts";

/** A column of flat objects of scalars, as JSON.stringify writes them. */
export interface Json {
  column: Fragment;
  /** The column as text to search in. */
  text: Fragment;
  /** These characters, a quoted name and a colon occur in the text only before the value of the member with this name. */
  start: string;
}

/** With more values to compare with, reading the member's value once is faster than a search for each of them. */
const searchesMax = 3;

/** A test of the value of a member, which is never NULL where the value is set. */
export function memberTest(json: Json, name: string, test: ValueTest): Fragment {
  const member = `${json.start}${JSON.stringify(name)}:`;
  const isFound = (needle: string): Fragment => fragment`LOCATE(${needle}, ${json.text}) > 0`;
  // `onText` is false if the value is no text. JSON_VALUE cannot be used, because MySQL cuts its result at 512 characters.
  const path = plain(`$.${JSON.stringify(name)}`);
  const text = fragment`CAST(JSON_UNQUOTE(JSON_EXTRACT(${json.column}, ${path})) AS BINARY)`;
  const onText = (isFulfilled: Fragment): Fragment => allOf(isFulfilled, isFound(`${member}"`));
  switch (test.operator) {
    case "is_set":
      return isFound(member);
    case "one_of": {
      if (test.values.length > searchesMax) {
        return anyOf(onText(textAmong(text, test.values)), jsonAmong(writtenAfter(json.text, member), test.values));
      }
      // In this JSON a text ends with its quotation mark, and any other value before a comma or a brace.
      const ends = test.values.map((value) => (typeof value === "string" ? [""] : [",", "}"]));
      return anyOf(
        ...test.values.flatMap((value, index) =>
          ends[index]!.map((end) => isFound(member + JSON.stringify(value) + end)),
        ),
      );
    }
    case "starts_with":
      return isFound(member + JSON.stringify(test.text).slice(0, -1));
    case "contains":
    case "ends_with": {
      // A search that excludes most rows before their JSON is read.
      const written = JSON.stringify(test.text).slice(1, test.operator === "contains" ? -1 : undefined);
      return allOf(isFound(written), onText(textTest(text, test)));
    }
    case "within": {
      const written = writtenAfter(json.text, member);
      // Only a number begins with a minus or a digit.
      return allOf(fragment`LEFT(${written}, 1) BETWEEN '-' AND '9'`, numberTest(fragment`(${written} + 0e0)`, test));
    }
  }
}

/** The start of the member's value, up to a comma or a brace. A number or a boolean has at most 24 characters. */
function writtenAfter(text: Fragment, member: string): Fragment {
  // Without such a member, `rest` begins as the text does: with a brace or a comma.
  const rest = fragment`LEFT(SUBSTRING_INDEX(${text}, ${member}, -1), 25)`;
  return fragment`SUBSTRING_INDEX(SUBSTRING_INDEX(${rest}, ',', 1), '}', 1)`;
}
