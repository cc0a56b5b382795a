import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readNdjson } from "../../../server/import/ndjson.ts";
import { openSource } from "../../../server/import/index.ts";
import { assertRefusesLong, inFolder, rowsOf } from "../../support/importing.ts";
import { suite } from "../../support/suite.ts";

/** Rows as `line: value`. */
async function told(name: string, content: string | Uint8Array): Promise<string[]> {
  const rows = await rowsOf(name, content);
  return rows.map(({ line, value, problem }) => `${line}: ${problem ?? JSON.stringify(value)}`);
}

suite("the sources of an import", (test) => {
  test("a line of NDJSON is a row, whatever ends it; blank lines are none", async () => {
    const content = '\ufeff{"a":1}\r\n\n  \n{"a":"ä"}\n[1]\n{"a"\n\u0022text\u0022\n{"a":2}';
    assert.deepEqual(await told("rows.ndjson", content), [
      '1: {"a":1}',
      '4: {"a":"ä"}',
      "5: is no JSON object in UTF-8",
      "6: is no JSON object in UTF-8",
      "7: is no JSON object in UTF-8",
      '8: {"a":2}',
    ]);
    assert.deepEqual(await told("rows.ndjson", Buffer.from('{"a":"\xff"}\n{"a":1}', "latin1")), [
      "1: is no JSON object in UTF-8",
      '2: {"a":1}',
    ]);
  });

  test("a line that is in several chunks is one row, and one that is too long is refused and not read into memory", async () => {
    const long = JSON.stringify({ a: "x".repeat(300_000) });
    assert.deepEqual(await told("rows.ndjson", `${long}\n{"a":1}\n${long}`), [
      `1: ${long}`,
      '2: {"a":1}',
      `3: ${long}`,
    ]);
    await assertRefusesLong(readNdjson, ["{}\n", "\n{}"], [1, 2, 3], 2);
  });

  test("a file with .gz is uncompressed, also one of several members", async () => {
    const bytes = Buffer.concat([gzipSync('{"a":1}\n{"a":'), gzipSync("2}\n")]);
    assert.deepEqual(await told("rows.ndjson.gz", bytes), ['1: {"a":1}', '2: {"a":2}']);
    const cut = rowsOf("rows.ndjson.gz", gzipSync('{"a":1}\n').subarray(0, -9));
    await assert.rejects(cut, /rows\.ndjson\.gz is not compressed by gzip, or a part of it is missing\.$/);
  });

  test("a source is named after its file without the compression, and has an ending", async () => {
    const { signal } = new AbortController();
    const named = async (file: string, given?: string) => (await openSource(file, given, signal)).name;
    await inFolder(async (folder) => {
      const missing = join(folder, "rows.ndjson");
      await assert.rejects(openSource(missing, undefined, signal), /^Error: Cannot read .*rows\.ndjson: ENOENT\.$/);
      for (const wrong of ["rows.json", "rows", "a/rows.csv"]) {
        await assert.rejects(openSource(missing, wrong, signal), /^Error: The name of a source ends in \.csv/);
      }
      await assert.rejects(openSource(folder, "rows.csv", signal), /is a folder\.$/);
    });
    assert.equal(await named("-", "rows.csv.gz"), "rows.csv");
    await assert.rejects(named("-"), /^Error: Standard input needs --source NAME\.$/);
  });
});
