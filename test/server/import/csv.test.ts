import assert from "node:assert/strict";
import { mock } from "node:test";
import fc from "fast-check";
import { readCsv } from "../../../server/import/csv.ts";
import { assertRefusesLong } from "../../support/importing.ts";
import { suite } from "../../support/suite.ts";

async function* inChunks(content: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes);
}

/** Rows as `line: value`, or `line: problem`. */
async function told(content: string | Buffer, bytes = 65_536, needed: readonly string[] = []): Promise<string[]> {
  const lines: string[] = [];
  for await (const { line, value, problem } of readCsv(inChunks(Buffer.from(content), bytes), needed)) {
    lines.push(`${line}: ${problem ?? JSON.stringify(value)}`);
  }
  return lines;
}

/** The text of cells, each in quotes if it asks for it or has to be. */
function toRow(cells: readonly { text: string; isQuoted: boolean }[]): string {
  return cells
    .map(({ text, isQuoted }) => (isQuoted || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(",");
}

suite("CSV", (test) => {
  test("a row is an object by the header, where a dot leads into an object and an empty cell is no value", async () => {
    const content = '\ufeff"email",properties.total,name,__proto__\r\na@b.c,12,"A ""B""\r\nC",x\r\n\r\nd@e.f,,,\r\n';
    assert.deepEqual(await told(content), [
      '2: {"email":"a@b.c","properties":{"total":"12"},"name":"A \\"B\\"\\r\\nC","__proto__":"x"}',
      '5: {"email":"d@e.f"}',
    ]);
    assert.deepEqual(await told('a,b\n1\n1,2,3\n5" disk,4'), [
      "2: has 1 cells; the header has 2",
      "3: has 3 cells; the header has 2",
      '4: {"a":"5\\" disk","b":"4"}',
    ]);
  });

  test("LF and CRLF end a row in any mix, and CR where it ends the first row", async () => {
    const rows = ['2: {"a":"1","b":"2"}', '3: {"a":"3","b":"4"}', '4: {"a":"5","b":"6"}'];
    for (const content of [
      "a,b\n1,2\r\n3,4\n5,6\r\n",
      "a,b\r\n1,2\n3,4\r\n5,6",
      "a,b\r1,2\r3,4\r5,6\r",
      "a,b\r1,2\r\n3,4\n5,6",
    ]) {
      assert.deepEqual(await told(content), rows);
    }
    assert.deepEqual(await told('a,b\n1,2\r3,4\n"5\r",6\n'), [
      "2: has a carriage return outside of quotes",
      '3: {"a":"5\\r","b":"6"}',
    ]);
  });

  test("a row with bytes that are not UTF-8 is refused, and those around it are read", async () => {
    assert.deepEqual(await told(Buffer.from("a,b\n1,2\n\xe4,3\n4,5\n", "latin1")), [
      '2: {"a":"1","b":"2"}',
      "3: is not in UTF-8",
      '4: {"a":"4","b":"5"}',
    ]);
  });

  test("a quote that is not closed refuses the rest of the file, or its row where another quote closes it", async () => {
    assert.deepEqual(await told('a,b\n1,2\n3,"4\n5,6\n'), [
      '2: {"a":"1","b":"2"}',
      "3: has a quote that is not closed, so that the rest of the file is a part of it",
    ]);
    assert.deepEqual(await told('a,b\n1,2\n3,"4\n5,"6"\n7,8\n'), [
      '2: {"a":"1","b":"2"}',
      "3: has text after the closing quote of a cell",
      '5: {"a":"7","b":"8"}',
    ]);
  });

  test("a column that is needed is in the header: itself, as an object of JSON, or by columns within it", async () => {
    const needed = ["id", "order.amount", "order", "note.by.name"];
    assert.deepEqual(await told("id,order.amount,note\n,,\n", 65_536, needed), ["2: {}"]);
    const missing = /^Error: --map: the header has no column "ids", "order.amount"\.$/;
    await assert.rejects(told("id,order.amounts,ord\n1,2,3\n", 65_536, ["ids", "id", "order.amount"]), missing);
  });

  test("a row that is too long is refused and not read into memory, and those around it are read", () =>
    assertRefusesLong((chunks) => readCsv(chunks, []), ['a,b\n1,2\n3,"', '\n"\n5,6\n'], [2, 3, 5], 9));

  test("a header that cannot be used is refused in a line", async () => {
    await assert.rejects(told("a,a\n1,2\n"), /^Error: The header has the column "a" twice\.$/);
    await assert.rejects(told("a.b,a-b,a\n1,2,3\n"), /^Error: The column "a\.b" lies within another\.$/);
    await assert.rejects(told('\na,"b\n1,2\n'), /^Error: The header at line 2 has a quote that is not closed/);
    await assert.rejects(told(Buffer.from("\xe4\n1\n", "latin1")), /^Error: The header at line 1 is not in UTF-8\.$/);
  });

  test("a column of a header is compared with its neighbour alone", async () => {
    const header = Array.from({ length: 1_000 }, (_, n) => `customAttributes.c${n}`).join();
    const { mock: compared } = mock.method(String.prototype, "startsWith");
    try {
      assert.equal((await told(`${header}\n${",".repeat(999)}1\n`)).length, 1);
      assert.equal(compared.callCount(), 999);
    } finally {
      compared.restore();
    }
  });

  test("cells are read as they were written, wherever the file is cut into chunks", async () => {
    const string = fc.string({ unit: fc.constantFrom('"', ",", "\r", "\n", "a", "é", "😀", " "), maxLength: 8 });
    const cell = fc.record({ text: string, isQuoted: fc.boolean() });
    const row = fc.tuple(fc.array(cell, { minLength: 3, maxLength: 3 }), fc.constantFrom("\n", "\r\n"));
    await fc.assert(
      fc.asyncProperty(fc.array(row), fc.nat({ max: 9 }), async (rows, more) => {
        const content = rows.map(([cells, end]) => toRow(cells) + end).join("");
        const read: unknown[] = [];
        for await (const { text } of readCsv(inChunks(Buffer.from(`\ufeffa,b,c\n${content}`), more + 1), [])) {
          read.push(JSON.parse(text));
        }
        assert.deepEqual(
          read,
          rows.map(([cells]) => cells.map((each) => each.text)),
        );
      }),
    );
  });
});
