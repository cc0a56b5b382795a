import type { ContactTest, ValueTest } from "../../../../lib/storage/rows.ts";
import { contactStatements, type Fragment } from "../../sql/index.ts";
import { allOf, anyOf, fragment, jsonAmong, numberTest, sqlOf, textAmong, textTest } from "./value-tests.ts";

/** A test of the row `c` of a contact. It is never NULL. */
export function contactTest(test: ContactTest): Fragment {
  return fragment`COALESCE(${"attributeId" in test ? attributeTest(test.attributeId, test) : fieldTest(test)}, FALSE)`;
}

function fieldTest(test: Exclude<ContactTest, { attributeId: string }>): Fragment {
  const column = sqlOf(`c.${contactStatements.testedColumn(test.contactField)}`);
  const isTime = test.contactField === "signedUpAt" || test.contactField === "createdAt";
  return isTime ? numberTest(column, test) : textTest(column, test);
}

// MySQL searches bytes three times as fast as characters. MariaDB ignores these comments, and needs no cast.
const attributes = sqlOf("/*!50700 CAST(*/ c.attributes /*!50700 AS BINARY)*/");

/** With more values than that, reading the attribute once is faster than searching for each of them. */
const searchesMax = 3;

/**
 * A test of one of the attributes, which are our own JSON: ids and scalars without white space. A quotation mark inside a text
 * follows a backslash, so `"id":` occurs only before the id's value. The value is written as JSON.stringify does.
 */
function attributeTest(id: string, test: ValueTest): Fragment {
  const member = `"${id}":`;
  switch (test.operator) {
    case "is_set":
      return isFound(member);
    case "one_of": {
      if (test.values.length > searchesMax) {
        return anyOf(
          onText(id, (text) => textAmong(text, test.values)),
          jsonAmong(writtenAfter(member), test.values),
        );
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
      // A search that excludes most contacts before their JSON is read.
      const written = JSON.stringify(test.text).slice(1, test.operator === "contains" ? -1 : undefined);
      return allOf(
        isFound(written),
        onText(id, (text) => textTest(text, test)),
      );
    }
    case "within": {
      const written = writtenAfter(member);
      // Only a number begins with a minus or a digit.
      return allOf(fragment`LEFT(${written}, 1) BETWEEN '-' AND '9'`, numberTest(fragment`(${written} + 0e0)`, test));
    }
  }
}

function isFound(needle: string): Fragment {
  return fragment`LOCATE(${needle}, ${attributes}) > 0`;
}

/** A test of the attribute's text; false if it is no text. */
function onText(id: string, test: (text: Fragment) => Fragment): Fragment {
  const path = { sql: "?", values: [`$."${id}"`] };
  // JSON_VALUE would not do: MySQL cuts it at 512 characters.
  const text = fragment`CAST(JSON_UNQUOTE(JSON_EXTRACT(c.attributes, ${path})) AS BINARY)`;
  return allOf(test(text), isFound(`"${id}":"`));
}

/** The start of the member's value, up to a comma or a brace. A number or a boolean has at most 24 characters. */
function writtenAfter(member: string): Fragment {
  // Without such a member, `rest` begins with the opening brace of the attributes.
  const rest = fragment`LEFT(SUBSTRING_INDEX(${attributes}, ${member}, -1), 25)`;
  return fragment`SUBSTRING_INDEX(SUBSTRING_INDEX(${rest}, ',', 1), '}', 1)`;
}
