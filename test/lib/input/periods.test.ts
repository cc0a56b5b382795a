import assert from "node:assert/strict";
import {
  normalizePeriod,
  periodOfTimeStruct,
  periodStruct,
  periodWithStartStruct,
} from "../../../lib/input/periods.ts";
import { check, type Input } from "../../../lib/input/shapes.ts";
import { suite } from "../../support/suite.ts";

const issuesOf = (value: unknown): string[] => issuesIn(value, periodStruct);

function issuesIn<T>(value: unknown, struct: Input<T>): string[] {
  return check(value, struct).issues.map(({ path, code }) => `${path} ${code}`);
}

suite("periods", (test) => {
  test("a period is kept as it was sent, its times as texts in UTC", () => {
    assert.deepEqual(normalizePeriod({ days: 7 }), { days: 7 });
    assert.deepEqual(normalizePeriod({ from: new Date(0), to: "2026-01-31T10:00:00+01:00" }), {
      from: "1970-01-01T00:00:00.000Z",
      to: "2026-01-31T09:00:00.000Z",
    });
    assert.deepEqual(normalizePeriod({ next: { hours: 7 } }), { next: { hours: 7 } });
    assert.deepEqual(normalizePeriod({ to: new Date(0) }), { to: "1970-01-01T00:00:00.000Z" });
  });

  for (const value of [
    { days: 1 },
    { days: 1_000_000 },
    { minutes: 1, hours: undefined },
    { from: "2026-01-31T09:00:00Z", to: "2026-01-31T09:00:00Z" },
    { from: new Date(0), to: undefined },
    { ago: { days: 1_000_000 } },
    { ago: { hours: 1, days: undefined }, next: undefined },
  ]) {
    test(`a valid period: ${JSON.stringify(value)}`, () => assert.deepEqual(issuesOf(value), []));
  }

  const refused: [unknown, string[]][] = [
    [undefined, [" required"]],
    [null, [" wrong_type"]],
    ["7 days", [" wrong_type"]],
    [{}, [" too_short"]],
    [{ from: undefined }, [" too_short"]],
    [{ weeks: 1 }, ["weeks unknown_field"]],
    [{ days: 0 }, ["days out_of_range"]],
    [{ days: 1.5 }, ["days out_of_range"]],
    [{ days: 1_000_001 }, ["days out_of_range"]],
    [{ days: "7" }, ["days wrong_type"]],
    [{ days: null }, ["days not_allowed_null"]],
    [{ days: 1, hours: 1 }, ["hours invalid_format"]],
    [
      { hours: 1, minutes: null, from: "2026-01-31", weeks: 1 },
      ["minutes invalid_format", "from invalid_format", "weeks unknown_field"],
    ],
    [{ from: "2026-01-31" }, ["from invalid_format"]],
    [{ from: 0, to: null }, ["from wrong_type", "to not_allowed_null"]],
    [{ ago: 3 }, ["ago wrong_type"]],
    [{ ago: {} }, ["ago too_short"]],
    [{ ago: { weeks: 1 } }, ["ago.weeks unknown_field"]],
    [{ ago: { days: 0 } }, ["ago.days out_of_range"]],
    [{ ago: { days: 1, hours: 1 } }, ["ago.hours invalid_format"]],
    [{ ago: { days: 1 }, from: new Date(0) }, ["from invalid_format"]],
    [{ days: 1, ago: { days: 1 } }, ["ago invalid_format"]],
    [{ next: { days: 1 } }, ["next unknown_field"]],
    [{ from: "2026-01-31T09:00:00.001Z", to: "2026-01-31T09:00:00Z" }, ["to out_of_range"]],
  ];
  for (const [index, [value, issues]] of refused.entries()) {
    test(`refused: ${index + 1}, ${JSON.stringify(value)}`, () => assert.deepEqual(issuesOf(value), issues));
  }

  test("only the period of a time looks ahead, and only one with a beginning counts events", () => {
    assert.deepEqual(issuesIn({ next: { days: 1 } }, periodOfTimeStruct), []);
    assert.deepEqual(issuesIn({ next: { days: 1 }, ago: { days: 1 } }, periodOfTimeStruct), ["next invalid_format"]);
    assert.deepEqual(issuesIn({ ago: { days: 1 } }, periodWithStartStruct), ["ago unknown_field"]);
    assert.deepEqual(issuesIn({ next: { days: 1 } }, periodWithStartStruct), ["next unknown_field"]);
  });

  test("a refused second length says which fields a period has", () => {
    assert.deepEqual(
      check({ days: 1, hours: 1 }, periodStruct).issues.map(({ message }) => message),
      ["Must be left out: a period has one of days, hours, minutes, next and ago, or from and to."],
    );
  });
});
