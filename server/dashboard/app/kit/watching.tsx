import { Time } from "./text.tsx";

/** Since when the audiences of a subscription are watched, given its `readyAt`. */
export function Watching({ readyAt }: { readyAt: string | null }) {
  if (readyAt === null) return <>The first pass over all contacts is under way.</>;
  return (
    <>
      Watching since <Time at={readyAt} />
    </>
  );
}
