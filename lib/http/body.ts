import { TrackerError } from "../model/errors.ts";
import { firstBufferBytes } from "../model/limits.ts";

/** Gathers a body's bytes as they arrive. */
export interface BodyBytes {
  /**
   * Throws `body_too_large` at the first byte above the limit: a Content-Length can lie. The first chunk is kept without a
   * copy, so the caller must not change it before the next call.
   */
  add(chunk: Uint8Array): void;
  all(): Uint8Array;
}

const empty: Uint8Array = new Uint8Array();

/** Does not copy a body of one chunk. Copies several chunks into one buffer: keeping them would take 300 bytes more for each. */
export function gatherBody(maxBodyBytes: number): BodyBytes {
  let buffer = empty;
  let isOurs = false;
  let bytes = 0;

  function growTo(wanted: number): void {
    if (isOurs && buffer.byteLength >= wanted) return;
    const larger = new Uint8Array(Math.min(maxBodyBytes, Math.max(2 * wanted, firstBufferBytes)));
    larger.set(buffer);
    buffer = larger;
    isOurs = true;
  }

  return {
    add(chunk) {
      if (chunk.byteLength === 0) return;
      const before = bytes;
      bytes += chunk.byteLength;
      if (bytes > maxBodyBytes) throw new TrackerError("body_too_large");
      if (before === 0) {
        buffer = chunk;
        return;
      }
      growTo(bytes);
      buffer.set(chunk, before);
    },
    all: () => (buffer.byteLength === bytes ? buffer : buffer.subarray(0, bytes)),
  };
}

/** Throws for bytes that are not UTF-8. Leaves out a byte order mark, as RFC 8259 section 8.1 allows. */
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Throws `malformed_json`. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    // The error of JSON.parse is not kept as the cause: its message quotes the body.
    throw new TrackerError("malformed_json");
  }
}
