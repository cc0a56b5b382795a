import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Scalar } from "../../../../lib/model/types.ts";

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const numbers = new Intl.NumberFormat("en");

/** Shows how long ago a time was. The tooltip has the exact time in UTC. */
export function Time({ at }: { at: string | null }) {
  if (at === null) return <span class="muted">never</span>;
  return (
    <time dateTime={at} title={exactly(at)}>
      {agoOf(Date.parse(at), Date.now())}
    </time>
  );
}

/** Like `Time`, with the exact time below for users without a pointer. */
export function ExactTime({ at }: { at: string }) {
  return (
    <>
      <Time at={at} />
      <div class="exact">{exactly(at)}</div>
    </>
  );
}

function exactly(at: string): string {
  return at.replace("T", " ").replace("Z", " UTC");
}

export function agoOf(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1_000);
  const [unit, length] = units.find((candidate) => Math.abs(seconds) >= candidate[1]) ?? ["second", 1];
  return Math.abs(seconds) < 5 ? "just now" : relative.format(Math.trunc(seconds / length), unit);
}

/** A number with separators, or "1 contact", "2 contacts". */
export function countOf(count: number, noun = ""): string {
  return numbers.format(count) + (noun && ` ${noun}${count === 1 ? "" : "s"}`);
}

/** The value of an attribute or a property. */
export function scalarWords(value: Scalar): ComponentChildren {
  return value === "" ? <span class="muted">an empty text</span> : String(value);
}

/** A button that copies a text, and then says so. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [said, setSaid] = useState("");
  const copy = async (): Promise<void> => {
    // Browsers offer the clipboard only in a secure context, such as HTTPS.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(isCopied ? "Copied" : "Select it and copy it by hand");
    setTimeout(() => setSaid(""), 2_000);
  };
  return (
    <button type="button" class="button small" onClick={() => void copy()}>
      <span role="status">{said || label}</span>
    </button>
  );
}

/** Text to read or to copy, with its line breaks. */
export function Code({ text }: { text: string }) {
  return (
    <div class="framed code">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} />
    </div>
  );
}
