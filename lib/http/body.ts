import { isUtf8 } from "node:buffer";
import { TrackerError } from "../errors.ts";
import { firstBufferBytes } from "../limits.ts";

/** Gathers a body's bytes as they arrive. */
export interface BodyBytes {
  /**
   * Throws `body_too_large` as soon as one byte is too many: a Content-Length can lie. The first chunk is kept as it is until the
   * next one comes, and must not be changed by then.
   */
  add(chunk: Uint8Array): void;
  all(): Uint8Array;
}

/** A body of one chunk is not copied; of more they are copied into one buffer, since an object for each takes 300 bytes. */
export function gatherBody(maxBodyBytes: number): BodyBytes {
  let buffer: Uint8Array = new Uint8Array();
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
