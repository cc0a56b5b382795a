import type { Connection, Pool } from "mysql2/promise";
import type { MysqlStorage } from "../../../adapters/mysql/index.ts";
import type { Tracker, Workspace } from "../../../lib/index.ts";
import { importAll } from "../../support/importing.ts";
import type { Call, StepOf } from "./calls.ts";
import { codeOf, type Note } from "./log.ts";
import { callOther } from "./other-methods.ts";
import { performMany } from "./perform-many.ts";
import { performStep, toContact, toEvent } from "./perform-step.ts";
import { runInCallersTransaction, runInTransaction } from "./perform-transaction.ts";

/** What a worker calls. */
export interface Application {
  storage: MysqlStorage;
  tracker: Tracker<Connection>;
  /** The application's own connections. */
  pool: Pool;
}

/** Performs the call, and notes each answer. */
export async function performCall(application: Application, id: string, call: Call, note: Note): Promise<void> {
  note({ id, call });
  try {
    note({ id, ok: (await perform(application, id, call, note)) ?? null });
  } catch (error) {
    note({ id, ...codeOf(error) });
  }
}

function perform({ storage, tracker: whole, pool }: Application, id: string, call: Call, note: Note): Promise<unknown> {
  const tracker = call.workspace === undefined ? whole : whole.workspace(call.workspace);
  const application = { tracker, pool };
  switch (call.do) {
    case "one":
    case "pair":
      return performSteps(tracker, id, call, note);
    case "many":
      return performMany(tracker, id, call, note);
    case "import":
      return performImport(storage, call);
    case "transaction":
      return runInTransaction(application, id, call, note);
    case "within":
      return runInCallersTransaction(application, id, call, note);
    case "prune":
      return tracker.events.prune({ before: call.before! });
    case "apiKey":
      return createKey(tracker, id, call, note);
    case "other":
      return callOther(tracker, call.method!, call.name!);
    case "deleteWorkspace":
      return whole.workspaces.delete(call.workspace!);
  }
}

/** Calls all steps before it awaits the first. */
async function performSteps(tracker: Workspace, id: string, { steps }: Call, note: Note): Promise<void> {
  const calls = steps.map((step) => performStep(tracker, step));
  const noted = calls.map((call, step) =>
    call.then(
      (ok) => note({ id, step, ok }),
      (error: unknown) => note({ id, step, ...codeOf(error) }),
    ),
  );
  await Promise.all(noted);
}

/** Imports the steps as the command does, maybe twice. Resolves with the codes of the steps that each run has refused. */
async function performImport(
  storage: MysqlStorage,
  { steps, goesOn, workspace = "default" }: Call,
): Promise<string[][]> {
  const scope = { storage, workspace, now: () => Date.now(), whenFull: "wait" } as const;
  const isEvents = steps[0]!.do === "track";
  const rows = isEvents ? (steps as StepOf<"track">[]).map(toEvent) : (steps as StepOf<"upsert">[]).map(toContact);
  const runs: string[][] = [];
  for (let run = 0; run < (goesOn ? 2 : 1); run++) {
    const { refused } = await importAll(scope, isEvents ? "events" : "contacts", rows);
    const codes = steps.map(() => "");
    for (const { line, code } of refused) codes[line - 1] = code;
    runs.push(codes);
  }
  return runs;
}

async function createKey({ apiKeys }: Workspace, id: string, { name, givesUp }: Call, note: Note): Promise<void> {
  const { apiKey } = await apiKeys.create({ name: name! });
  note({ id, step: 0, ok: { deleted: apiKey.id } });
  if (givesUp) await apiKeys.revoke(apiKey.id);
}
