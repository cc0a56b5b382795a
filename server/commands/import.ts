import { setFlagsFromString } from "node:v8";
import {
  createMapper,
  createTally,
  importRows,
  openRefusedRows,
  openSource,
  progressOf,
  summaryOf,
  type Kind,
} from "../import/index.ts";
import { tellProgress } from "../progress.ts";
import { print } from "../print.ts";
import { stopSignal } from "../signals.ts";
import { onScope, readAction } from "./database-command.ts";

interface Options {
  map?: string[];
  format?: string;
  source?: string;
  "dry-run"?: boolean;
}

const options = {
  map: { type: "string", multiple: true },
  format: { type: "string" },
  source: { type: "string" },
  "dry-run": { type: "boolean" },
} as const;

/** `import contacts FILE` and `import events FILE`. */
export async function importCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const ofRows = { names: ["FILE"], options };
  const { action, positionals, values } = readAction<Options>("import", args, { contacts: ofRows, events: ofRows });
  const [file = ""] = positionals;
  await onScope(environment, values.workspace, (scope) => run(scope, action as Kind, file, values));
}

async function run(
  scope: Parameters<typeof importRows>[0],
  kind: Kind,
  file: string,
  { map: maps = [], format, source: name, "dry-run": isDryRun = false, json }: Options & { json: boolean },
): Promise<void> {
  // By default V8 lets a small heap grow fourfold before it collects garbage, and most of what an import holds is garbage. Less
  // than 70 takes more processor time: at 50 an event takes a tenth more.
  setFlagsFromString("--heap-growing-percent=70");
  const mapper = createMapper(kind, format, maps);
  const leavesUndefined = format !== undefined;
  const signal = stopSignal();
  const source = await openSource(file, name, signal);
  const refusedRows = openRefusedRows(source.file);
  const tally = createTally();
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1_000;
  const end = tellProgress(process.stderr, () => progressOf(tally, source, seconds()));
  try {
    await importRows(scope, { kind, source, mapper, leavesUndefined, isDryRun, refusedRows, tally });
  } finally {
    end();
    await refusedRows.close();
    const lines = summaryOf(tally, kind, seconds(), refusedRows);
    if (isDryRun) lines.push("  nothing was written: this was a dry run");
    if (signal.aborted) lines.push("  stopped: run it again to go on, nothing is recorded twice");
    print(json, lines, { ...tally, seconds: seconds(), isDryRun, isStopped: signal.aborted });
  }
  if (tally.refused > 0 || signal.aborted) process.exitCode = 1;
}
