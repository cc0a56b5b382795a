/** Says that a key has no event type, and stands out if it looks like one that has. */
export function NotDefined({ likely }: { likely: string | null }) {
  if (likely === null) return <div class="badge">not defined</div>;
  return <div class="badge warn likely">not defined, like {likely}?</div>;
}
