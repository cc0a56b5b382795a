/** The values of a choice or of suggestions, each with its words. A value without words is shown as it is. */
export function Options({ of: options }: { of: readonly (readonly [value: string, words?: string | null])[] }) {
  return options.map(([value, words = value]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));
}

/** The texts that an input with this `list` offers. */
export function Suggestions({ id, of: texts }: { id: string; of: readonly string[] }) {
  return (
    <datalist id={id}>
      {texts.map((text) => (
        <option key={text} value={text} />
      ))}
    </datalist>
  );
}
