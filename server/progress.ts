/** The stream for the progress: standard error, or a substitute in tests. */
export interface Output {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

const terminalMs = 100;
const lineMs = 10_000;

/**
 * Prints the progress of a long run: on a terminal in one line that changes, elsewhere in a line every 10 s. `parts` returns the
 * texts to print, the most important first. A narrow terminal gets as many of them as fit. Returns the function that ends it.
 */
export function tellProgress(output: Output, parts: () => string[]): () => void {
  const tell = (): unknown =>
    output.write(output.isTTY ? `\r${fitting(parts(), output.columns ?? 80)}\u001b[K` : `${parts().join("  ")}\n`);
  const timer = setInterval(tell, output.isTTY ? terminalMs : lineMs);
  // A run that fails must not be kept alive by its progress.
  timer.unref();
  return () => {
    clearInterval(timer);
    if (output.isTTY) output.write("\r\u001b[K");
  };
}

/** The first parts that fit into a line. The line must not be full, because it would wrap and could not be overwritten. */
function fitting(parts: readonly string[], columns: number): string {
  let line = "";
  for (const part of parts) {
    const longer = line === "" ? part : `${line}  ${part}`;
    if (longer.length >= columns) break;
    line = longer;
  }
  return line;
}

/** A number with separators, such as `1,234,567`. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** A duration as `0:07`, `12:34` or `1:02:03`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const twoDigits = (number: number): string => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(rest)}` : `${minutes}:${twoDigits(rest)}`;
}
