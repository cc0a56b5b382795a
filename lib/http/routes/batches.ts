import type { Begun } from "../../contacts/call-order.ts";
import { beginUpsert, preparePut } from "../../contacts/upserts.ts";
import { TrackerError } from "../../model/errors.ts";
import { recordEvent } from "../../events/index.ts";
import { batchStruct, silenceOf } from "../../input/structs.ts";
import { parse } from "../../input/shapes.ts";
import * as limits from "../../model/limits.ts";
import { createTurns, nextTurn, within } from "../../bulk/turns.ts";
import type { Silenceable } from "../../storage/rows.ts";
import type { ErrorBody } from "../answer.ts";
import { created, ok } from "../statuses.ts";
import { readKeyedEvent } from "../../input/events.ts";
import { route, type Route, type RouteRequest } from "./route.ts";

/** The answer to one item of a batch. It equals the answer to a request with this item alone. */
interface ItemAnswer {
  status: number;
  body: { success: true } | ErrorBody;
  /** Stands for the header Idempotent-Replayed. */
  replayed?: boolean;
}

export const batchRoutes: readonly Route[] = [
  route("upsertContacts", {
    summary: `Create or update up to ${limits.itemsPerBatchMax} contacts. Each item is answered as its request alone would be.`,
    input: "ContactBatch",
    output: "ContactAnswers",
    isBatch: true,
    call: (request) =>
      answerBatch(
        request,
        (item, silence) => {
          const { by, ...fields } = Object(item) as Record<string, unknown>;
          return by === "externalId"
            ? beginUpsert(request.scope, fields, silence, preparePut)
            : beginUpsert(request.scope, item, silence);
        },
        ({ contact, created: isNew }) => ({ status: isNew ? created : ok, body: { success: true, contact } }),
      ),
  }),
  route("trackEvents", {
    summary: `Record up to ${limits.itemsPerBatchMax} events. Each item is answered as its request alone would be.`,
    input: "EventBatch",
    output: "EventAnswers",
    refusals: ["invalid_header"],
    isBatch: true,
    async call(request) {
      const { scope, header } = request;
      if (header("idempotency-key") !== null) throw new TrackerError("invalid_header", { message: keyOfItems });
      return answerBatch(
        request,
        async (item, silence) => {
          const event = readKeyedEvent(item, scope.now());
          return { result: recordEvent(scope, event, event.idempotencyKey, silence) };
        },
        ({ replayed, ...tracked }) => ({
          status: created,
          body: { success: true, ...tracked },
          ...(replayed && { replayed }),
        }),
      );
    },
  }),
];

const keyOfItems = "A batch takes no Idempotency-Key: give each item an idempotencyKey.";

const notBegun = `Nothing was written: the answers before this item have more than ${limits.batchAnswersMaxBytes} bytes. Send it again.`;

/**
 * Answers a batch. `begin` resolves when an item's write has begun. The writes begin in the order of the items, so that items of
 * one contact take effect in that order. `answer` makes the answer to a written item. After each `batchItemsAtOnce` items, the batch
 * waits for their answers, but not longer than `batchWaitMs` in all. If the answers are too large, no more items begin.
 */
async function answerBatch<Result>(
  { body, refuse }: RouteRequest,
  begin: (item: unknown, silence: Silenceable) => Promise<Begun<Result>>,
  answer: (result: Result) => ItemAnswer,
): Promise<ItemAnswer[]> {
  const answers: Promise<ItemAnswer>[] = [];
  const batch = parse(body, batchStruct);
  const silence = silenceOf(batch);
  const turns = createTurns();
  const endsAt = performance.now() + limits.batchWaitMs;
  let bytes = 0;
  let measured = Promise.resolve();
  const measure = async (answered: ItemAnswer): Promise<void> => {
    const size = Buffer.byteLength(JSON.stringify(answered));
    bytes += size;
    await turns(size);
  };
  const answerOf = async (begun: Promise<Begun<Result>>): Promise<ItemAnswer> => {
    const answered = await begun.then(async ({ result }) => answer(await result)).catch(refuse);
    await (measured = measured.then(() => measure(answered)));
    return answered;
  };
  while (answers.length < batch.items.length && bytes <= limits.batchAnswersMaxBytes) {
    if (answers.length > 0) await nextTurn();
    const part: Promise<ItemAnswer>[] = [];
    for (const item of batch.items.slice(answers.length, answers.length + limits.batchItemsAtOnce)) {
      const begun = begin(item, silence);
      part.push(answerOf(begun));
      await begun.catch(() => {});
    }
    answers.push(...part);
    await within(endsAt - performance.now(), Promise.all(part), null);
  }
  const left = batch.items.slice(answers.length);
  const refused = left.map(() => refuse(new TrackerError("storage_unavailable", { message: notBegun })));
  return withFewIssues([...(await Promise.all(answers)), ...refused]);
}

/** Leaves out issues beyond `issuesMax` in all, so that the answer is not many times larger than the body. */
function withFewIssues(answers: readonly ItemAnswer[]): ItemAnswer[] {
  let left = limits.issuesMax;
  return answers.map((answer) => {
    if (!("error" in answer.body) || !answer.body.error.issues) return answer;
    const { issues, ...error } = answer.body.error;
    const told = issues.slice(0, left);
    left -= told.length;
    return { ...answer, body: { ...answer.body, error: told.length > 0 ? { ...error, issues: told } : error } };
  });
}
