/** Links to the parts of a page. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, title, isCurrent }) => (
        <a key={href} href={href} aria-current={isCurrent ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

interface Tab {
  href: string;
  title: string;
  isCurrent: boolean;
}
