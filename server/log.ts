/** One JSON line on standard error. No bodies, no keys, no values. */
export function log(event: "start" | "stop" | "warning" | "error", details: Record<string, unknown>): void {
  console.error(JSON.stringify({ time: new Date().toISOString(), event, ...details }));
}

/** An error's kind and place, and what it was met at. Not its message: a driver's quotes what it was given. */
export function logError(error: unknown, metAt: { method?: string; route?: string; requestId?: string } = {}): void {
  const {
    name,
    code,
    message,
    stack = "",
  }: NodeJS.ErrnoException = error instanceof Error ? error : new Error("not an Error");
  // The message stands at the stack's head, and may have lines that look like places.
  const head = stack.indexOf(message);
  const places = head === -1 ? [] : stack.slice(head + message.length).split("\n");
  log("error", {
    ...metAt,
    name,
    code,
    at: places.map((line) => line.trim()).filter((line) => line.startsWith("at ")),
  });
}
