import assert from "node:assert/strict";
import { formatCount, formatSeconds, tellProgress, type Output } from "../../server/progress.ts";
import { suite } from "../support/suite.ts";

const parts = ["41%", "820,000 rows", "12 refused", "1:17 left", "15,312/s"];

/** What is written until there is something. */
async function firstWritten(output: Omit<Output, "write">): Promise<string> {
  let end: () => void;
  const written = await new Promise<string>((resolve) => {
    end = tellProgress({ ...output, write: resolve }, () => parts);
  });
  end!();
  return written;
}

suite("the progress", (test) => {
  test("on a terminal it is one line, written over and over", async () => {
    const line = "41%  820,000 rows  12 refused  1:17 left  15,312/s";
    assert.equal(await firstWritten({ isTTY: true, columns: 80 }), `\r${line}\u001b[K`);
  });

  test("a narrow terminal gets what fits, the most important first, and never a full line", async () => {
    assert.equal(await firstWritten({ isTTY: true, columns: 30 }), "\r41%  820,000 rows  12 refused\u001b[K");
    assert.equal(await firstWritten({ isTTY: true, columns: 29 }), "\r41%  820,000 rows\u001b[K");
    assert.equal(await firstWritten({ isTTY: true, columns: 3 }), "\r\u001b[K");
  });

  test("the line is gone at the end", () => {
    const written: string[] = [];
    tellProgress({ isTTY: true, columns: 80, write: (text) => written.push(text) }, () => parts)();
    assert.deepEqual(written, ["\r\u001b[K"]);
  });

  test("without a terminal the end writes nothing", () => {
    const written: string[] = [];
    tellProgress({ write: (text) => written.push(text) }, () => parts)();
    assert.deepEqual(written, []);
  });

  test("counts and durations are written for people", () => {
    assert.deepEqual([0, 999, 1_234_567.6].map(formatCount), ["0", "999", "1,234,568"]);
    assert.deepEqual([-1, 7.4, 754, 3_723].map(formatSeconds), ["0:00", "0:07", "12:34", "1:02:03"]);
  });
});
