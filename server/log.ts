/** Writes one line of JSON to standard error. `details` must not contain bodies, API keys or values. */
export function log(event: "start" | "stop" | "warning" | "error", details: Record<string, unknown>): void {
  console.error(JSON.stringify({ time: new Date().toISOString(), event, ...details }));
}

/**
 * Logs an error's name, code, stack and the code of its cause, and the request. Leaves out messages: a database driver quotes
 * values in them.
 */
export function logError(error: unknown, metAt: { method?: string; route?: string; requestId?: string } = {}): void {
  const {
    name,
    code,
    message,
    stack = "",
    cause,
  }: NodeJS.ErrnoException = error instanceof Error ? error : new Error("not an Error");
  const codes = Object(cause) as NodeJS.ErrnoException;
  // The stack starts with the message, which may have lines that look like stack frames.
  const head = stack.indexOf(message);
  const frames = head === -1 ? [] : stack.slice(head + message.length).split("\n");
  log("error", {
    ...metAt,
    name,
    code,
    cause: cause instanceof Error ? (codes.code ?? codes.errno) : undefined,
    at: frames.map((line) => line.trim()).filter((line) => line.startsWith("at ")),
  });
}
