/** The first SIGINT or SIGTERM. The second ends the process, as it does by default. */
export function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => resolve(name));
  });
}

/** Aborted by `firstSignal`. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  void firstSignal().then(() => controller.abort());
  return controller.signal;
}
