interface NamedProps {
  of: { key: string; name?: string | null | undefined };
  href?: string;
}

/** The title of a row: the name, and below it the key; the key alone if there is no name. */
export function Named({ of: { key, name }, href }: NamedProps) {
  const title = name ?? key;
  return (
    <>
      {href === undefined ? (
        <div class="row-title clamped">{title}</div>
      ) : (
        <a class="row-link clamped" href={href}>
          {title}
        </a>
      )}
      {name && <code class="muted clamped">{key}</code>}
    </>
  );
}
