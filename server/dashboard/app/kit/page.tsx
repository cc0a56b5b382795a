import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface BackLink {
  href: string;
  title: string;
}

interface SectionProps {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A page: the link to its parent, its title, its actions, and its content. */
export function Page({ back, title, actions, children }: SectionProps & { back?: BackLink | undefined }) {
  useEffect(() => {
    document.title = `${title} · whodid`;
  }, [title]);
  return (
    <>
      {back && <Back {...back} />}
      <header class="line apart page-header">
        <h1>{title}</h1>
        <div class="line">{actions}</div>
      </header>
      {children}
    </>
  );
}

export function Back({ href, title }: BackLink) {
  return (
    <nav class="back" aria-label="Back">
      <a class="muted" href={href}>
        {title}
      </a>
    </nav>
  );
}

/** A part of a page with a heading of its own. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <section class="section">
      <header class="line apart section-header">
        <h2>{title}</h2>
        <div class="line">{actions}</div>
      </header>
      {children}
    </section>
  );
}
