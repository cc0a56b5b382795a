/** One JSON line on standard error. No bodies, no keys, no values. */
export function log(event: "start" | "stop" | "error", details: Record<string, unknown>): void {
  console.error(JSON.stringify({ time: new Date().toISOString(), event, ...details }));
}

/** An error's kind and place. Not its message: a driver's quotes what it was given. */
export function logError(error: unknown): void {
  const { name, code, stack = "" }: NodeJS.ErrnoException = error instanceof Error ? error : new Error("thrown");
  const at = stack.split("\n").filter((line) => line.startsWith("    at "));
  log("error", { name, code, at: at.map((line) => line.trim()) });
}
