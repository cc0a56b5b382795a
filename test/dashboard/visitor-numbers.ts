import type { Page } from "playwright-core";

/** The number of events of which each ticks an item. */
const ticks = 10;

/** Prints the time from sending an event to its ticked item in the same page, in ms. The page has an item for each count of `invite`. */
export async function printTickTimes(page: Page, track: () => Promise<void>): Promise<void> {
  const times: number[] = [];
  for (let n = 1; n <= ticks; n++) {
    const sent = page.waitForRequest((request) => request.url().endsWith("/events"));
    await track();
    await sent;
    const since = performance.now();
    await page.getByText(n < ticks ? `${n} of ${ticks} done` : "All done. Well done!", { exact: true }).waitFor();
    times.push(performance.now() - since);
  }
  times.sort((a, b) => a - b);
  const [median, longest] = [times[ticks / 2]!, times.at(-1)!];
  console.log(`from POST /events to the ticked item: ${median.toFixed(0)} ms, at most ${longest.toFixed(0)} ms`);
}

/** Prints the requests of a page that nobody touches, counted for a minute. */
export async function printRequestsAnHour(page: Page, name: string): Promise<void> {
  let requests = 0;
  page.on("request", () => requests++);
  await page.waitForTimeout(60_000);
  console.log(`${name}: ${requests * 60} requests an hour`);
}
