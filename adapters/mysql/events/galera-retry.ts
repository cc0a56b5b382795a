import type { BatchedWrite } from "../group-commit/index.ts";
import { rowLocked } from "../transactions/index.ts";

/**
 * Makes a later batch retry, once, the items whose contact or attribute a lagging node did not find. Throwing `Behind` would
 * keep the other items of the batch from being written.
 */
export function retriedIfBehind<Draft extends object, Result>(
  batched: BatchedWrite<Draft, Result>,
  isMissing: (answer: Result) => boolean,
): BatchedWrite<Draft, Result> {
  const behind = new WeakSet<Draft>();
  return {
    ...batched,
    async prepare(drafts, inside) {
      const { look, atOnce, once } = await batched.prepare(drafts, inside);
      return {
        look,
        atOnce,
        behind: drafts.some((draft) => behind.has(draft)),
        async once(work) {
          const answers = await once(work);
          if (!work.mayBeBehind) return answers;
          return answers.map((answer, index) => {
            if (answer === rowLocked || !isMissing(answer)) return answer;
            // There is one answer for each draft.
            behind.add(drafts[index]!);
            return rowLocked;
          });
        },
      };
    },
  };
}
