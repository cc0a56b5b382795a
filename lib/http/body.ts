import { isUtf8 } from "node:buffer";
import { TrackerError } from "../errors.ts";

/** Gathers a body's bytes as they arrive. */
export interface BodyBytes {
  /** Throws `body_too_large` as soon as one byte is too many: a Content-Length can lie. */
  add(chunk: Uint8Array): void;
  all(): Uint8Array;
}

export function gatherBody(maxBodyBytes: number): BodyBytes {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(chunk) {
      bytes += chunk.byteLength;
      if (bytes > maxBodyBytes) throw new TrackerError("body_too_large");
      chunks.push(chunk);
    },
    all: () => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)),
  };
}

/** Throws `malformed_json`; a byte order mark is passed over, as RFC 8259 section 8.1 allows. */
export function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw new TrackerError("malformed_json");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  try {
    return JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch {
    // Its message quotes the text.
    throw new TrackerError("malformed_json");
  }
}
