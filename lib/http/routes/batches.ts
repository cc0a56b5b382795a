import type { Begun } from "../../call-order.ts";
import { beginUpsert } from "../../contacts.ts";
import { TrackerError } from "../../model/errors.ts";
import { recordEvent } from "../../events.ts";
import { batchStruct, silenceOf } from "../../input/structs.ts";
import { parse } from "../../input/shapes.ts";
import { issuesMax, itemsPerBatchMax, itemsPerTurn } from "../../model/limits.ts";
import { nextTurn } from "../../bulk/many.ts";
import type { Silenceable } from "../../storage/rows.ts";
import type { ErrorBody } from "../answer.ts";
import { created, ok } from "../statuses.ts";
import { readKeyedEvent } from "../event-shapes.ts";
import type { Route, RouteRequest, Success } from "./route.ts";

/** The answer to one item of a batch. It equals the answer to a request with this item alone. */
interface ItemAnswer {
  status: number;
  body: { success: true } | ErrorBody;
  /** Stands for the header Idempotent-Replayed. */
  replayed?: boolean;
}

export const batchRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/contacts/batch",
    access: "write",
    query: {},
    name: "upsertContacts",
    summary: `Create or update up to ${itemsPerBatchMax} contacts. Each item is answered as its request alone would be.`,
    input: "ContactBatch",
    successes: [ok],
    output: { items: "ContactAnswers" },
    refusals: [],
    isBatch: true,
    run: (request) =>
      answerBatch(
        request,
        (item, silence) => beginUpsert(request.scope, item, silence),
        ({ contact, created: isNew }) => ({ status: isNew ? created : ok, body: { success: true, contact } }),
      ),
  },
  {
    method: "POST",
    path: "/events/batch",
    access: "write",
    query: {},
    name: "trackEvents",
    summary: `Record up to ${itemsPerBatchMax} events. Each item is answered as its request alone would be.`,
    input: "EventBatch",
    successes: [ok],
    output: { items: "EventAnswers" },
    refusals: ["invalid_header"],
    isBatch: true,
    async run(request) {
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
  },
];

const keyOfItems = "A batch takes no Idempotency-Key: give each item an idempotencyKey.";

/**
 * Answers a batch. `begin` resolves when an item's write has begun. The writes begin in the order of the items, so that items of
 * one contact take effect in that order. `answer` makes the answer to a written item. After `itemsPerTurn` items other work runs.
 */
async function answerBatch<Result>(
  { body, refuse }: RouteRequest,
  begin: (item: unknown, silence: Silenceable) => Promise<Begun<Result>>,
  answer: (result: Result) => ItemAnswer,
): Promise<Success> {
  const answers: Promise<ItemAnswer>[] = [];
  const batch = parse(body, batchStruct);
  const silence = silenceOf(batch);
  for (const [index, item] of batch.items.entries()) {
    if (index > 0 && index % itemsPerTurn === 0) await nextTurn();
    const begun = begin(item, silence);
    answers.push(begun.then(async ({ result }) => answer(await result)).catch(refuse));
    await begun.catch(() => {});
  }
  return { status: ok, body: { items: withFewIssues(await Promise.all(answers)) } };
}

/** Leaves out issues beyond `issuesMax` in all, so that the answer is not many times larger than the body. */
function withFewIssues(answers: readonly ItemAnswer[]): ItemAnswer[] {
  let left = issuesMax;
  return answers.map((answer) => {
    if (!("error" in answer.body) || !answer.body.error.issues) return answer;
    const { issues, ...error } = answer.body.error;
    const told = issues.slice(0, left);
    left -= told.length;
    return { ...answer, body: { ...answer.body, error: told.length > 0 ? { ...error, issues: told } : error } };
  });
}
