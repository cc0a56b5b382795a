import type { BatchedWrite } from "../group-commit/index.ts";
import { rowLocked } from "../transactions/index.ts";

/**
 * Makes a later batch retry, once, the events whose contact a lagging node did not find. Throwing `Behind` would keep the other
 * events of the batch from being written.
 */
export function retriedIfBehind<Draft extends object, Result>(
  batched: BatchedWrite<Draft, Result>,
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
            if (answer !== null) return answer;
            // There is one answer for each draft.
            behind.add(drafts[index]!);
            return rowLocked;
          });
        },
      };
    },
  };
}
