import { parseJson } from "../../lib/http/body.ts";
import { rowMaxBytes, shownBytes, tooLong, type Row } from "./rows.ts";

const lineFeed = 0x0a;

/** Reads lines of JSON. Skips blank lines. */
export async function* readNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let line = 0;
  let number = 0;
  for await (const bytes of linesOf(chunks)) {
    line++;
    if (bytes.length > rowMaxBytes) {
      const text = bytes.toString("utf8", 0, shownBytes);
      yield { line, number: ++number, text, value: null, problem: tooLong };
      continue;
    }
    const text = bytes.toString().trim();
    if (text === "") continue;
    number++;
    const value = parseObject(bytes);
    yield value ? { line, number, text, value } : { line, number, text, value, problem: "is no JSON object in UTF-8" };
  }
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      const rest = chunk.subarray(start, end);
      yield begun.length > 0 ? Buffer.concat([...begun, rest]) : rest;
      begun = [];
      begunBytes = 0;
      start = end + 1;
    }
    // The rest of a line that is too long is not read into memory.
    if (begunBytes <= rowMaxBytes) begun.push(chunk.subarray(start));
    begunBytes += chunk.length - start;
  }
  if (begunBytes > 0) yield Buffer.concat(begun);
}

function parseObject(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value = parseJson(bytes);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Row["value"]) : null;
  } catch {
    return null;
  }
}
