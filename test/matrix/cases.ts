/** Sends the HTTP cases through every mount, or the named ones. Prints what came of them as JSON, a line a mount. */
import { join } from "node:path";
import { memoryStorage } from "../../adapters/memory/index.ts";
import { httpCases } from "../http/cases.ts";
import { openOverSocket } from "../http/socket-door.ts";
import type { Storage } from "../../lib/index.ts";
import { dashboardCases } from "./dashboard-cases.ts";
import { visitorCases } from "./visitor-cases.ts";
import { installs } from "./installs.ts";

/** What came of the cases in one mount. */
export interface Outcome {
  mount: string;
  passed: string[];
  /** Answered in time, but not as the case says. */
  otherwise: string[];
  /** Not answered, with what happened instead. */
  unanswered: string[];
}

type Mounts = Record<string, NonNullable<Parameters<typeof openOverSocket>[1]>>;

const wanted = process.argv.slice(2);
const { mounts, dashboardMounts, visitorMounts } = (await import(join(installs, "out/apps.js"))) as Record<
  "mounts" | "dashboardMounts" | "visitorMounts",
  Mounts
>;
for (const [name, mount] of Object.entries(mounts)) {
  if (wanted.length === 0 || wanted.includes(name))
    process.stdout.write(`${JSON.stringify(await play(name, mount))}\n`);
}
// Next.js has no end of its own.
process.exit();

async function play(name: string, mount: Mounts[string]): Promise<Outcome> {
  const outcome: Outcome = { mount: name, passed: [], otherwise: [], unanswered: [] };
  const cases: [title: string, run: () => void | Promise<void>][] = [];
  const openMemory = async (): Promise<{ storage: Storage; dispose(): Promise<void> }> => {
    return { storage: memoryStorage(), dispose: async () => {} };
  };
  httpCases((title, run) => cases.push([title, run]), openOverSocket(openMemory, mount));
  for (const [casesOfPart, mountsOfPart] of [
    [dashboardCases, dashboardMounts],
    [visitorCases, visitorMounts],
  ] as const) {
    const openPart = openOverSocket(openMemory, mountsOfPart[name]!, (send) => send);
    for (const [title, run] of Object.entries(casesOfPart)) {
      cases.push([
        title,
        async () => {
          const door = await openPart();
          try {
            await run(door);
          } finally {
            await door.close();
          }
        },
      ]);
    }
  }
  for (const [title, run] of cases) {
    try {
      await run();
      outcome.passed.push(title);
    } catch (error) {
      // An assertion, or what comes of reading a framework's page as an answer of ours; a time-out or a reset is neither.
      if (error instanceof Error && ["AssertionError", "TypeError"].includes(error.name)) outcome.otherwise.push(title);
      else outcome.unanswered.push(`${title}: ${String(error)}`);
    }
  }
  return outcome;
}
