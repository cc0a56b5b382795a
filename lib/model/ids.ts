import { randomFillSync } from "node:crypto";

const random = new Uint32Array(1_024);
let drawn = random.length;

let timestamp = -1;
let counterHigh = 0;
let counterLow = 0;

// Each id is written into this one buffer. Read from it, an id is a flat string, half as large as one joined from parts.
const characters = Buffer.from("00000000-0000-7000-8000-000000000000", "latin1");
const hexDigits = Buffer.from("0123456789abcdef", "latin1");

/**
 * Generates a UUIDv7 (RFC 9562 section 5.7) that sorts after every earlier one of this process, even if the clock stands
 * still or goes back. The timestamp is followed by a 42-bit counter (section 6.2, method 1) and 32 random bits. The counter
 * starts at a random number in each millisecond, so that processes do not generate the same ids.
 */
export function newId(now: number): string {
  if (now > timestamp) {
    setTimestamp(now);
    // The counter's top bit starts at 0, which leaves room to count.
    setCounterHigh(drawUint32() & 0x7ff);
    counterLow = drawUint32() & 0x3fffffff;
  } else if (++counterLow > 0x3fffffff) {
    counterLow = 0;
    setCounterHigh((counterHigh + 1) & 0xfff);
    if (counterHigh === 0) setTimestamp(timestamp + 1);
  }
  // The two top bits are the UUID's variant.
  write(19, 4, 0x8000 | (counterLow >>> 16));
  write(24, 4, counterLow & 0xffff);
  write(28, 8, drawUint32());
  return characters.toString("latin1");
}

/** Sorts before every id that is generated from this time on. */
export function firstIdAt(now: number): string {
  const digits = Math.max(0, now).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** Whether the text has the form of an id: a UUID in lower case. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

function setTimestamp(milliseconds: number): void {
  timestamp = milliseconds;
  write(0, 8, Math.floor(milliseconds / 0x10000));
  write(9, 4, milliseconds % 0x10000);
}

function setCounterHigh(value: number): void {
  counterHigh = value;
  write(15, 3, value);
}

function write(offset: number, digits: number, value: number): void {
  let rest = value;
  for (let index = offset + digits - 1; index >= offset; index--) {
    // Four bits are at most 15.
    characters[index] = hexDigits[rest & 0xf]!;
    rest >>>= 4;
  }
}

function drawUint32(): number {
  if (drawn === random.length) {
    randomFillSync(random);
    drawn = 0;
  }
  // `drawn` is below the length.
  return random[drawn++]!;
}
