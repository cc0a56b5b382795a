import type { InTransaction } from "../../../lib/index.ts";
import type { ItemResult } from "../../../lib/bulk/item-results.ts";
import type { Call, StepAnswer, StepOf } from "./calls.ts";
import { codeOf, type Note } from "./log.ts";
import { showTracked, showUpserted, toContact, toEvent, toPut } from "./perform-step.ts";

/** Passes the steps as one array to the method outside or inside a transaction. */
export async function performMany(
  tracker: Pick<InTransaction, "contacts" | "events">,
  id: string,
  { steps, isQuiet }: Call,
  note: Note,
): Promise<unknown> {
  const options = isQuiet ? { notify: false } : {};
  const each =
    <Result>(show: (result: Result) => StepAnswer) =>
    (result: ItemResult<Result>, step: number): void =>
      note(result.ok ? { id, step, ok: show(result) } : { id, step, ...codeOf(result.error) });
  if (steps[0]!.do === "track") {
    return tracker.events.trackMany((steps as StepOf<"track">[]).map(toEvent), each(showTracked), options);
  }
  if (steps[0]!.do === "put") {
    return tracker.contacts.putMany((steps as StepOf<"put">[]).map(toPut), each(showUpserted), options);
  }
  return tracker.contacts.upsertMany((steps as StepOf<"upsert">[]).map(toContact), each(showUpserted), options);
}
