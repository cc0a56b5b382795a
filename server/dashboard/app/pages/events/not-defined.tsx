/** Says that a key has no event type. Stands out if the key is similar to a defined key. */
export function NotDefined({ likely }: { likely: string | null }) {
  if (likely === null) return <div class="badge">not defined</div>;
  return <div class="badge warn likely">not defined, like {likely}?</div>;
}
