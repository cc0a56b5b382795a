import { useEffect, useRef } from "preact/hooks";
import { isRetrying } from "./api.ts";
import { Out } from "./out.tsx";
import { pages } from "./pages/index.ts";
import { Failure } from "./kit/failure.tsx";
import { Page } from "./kit/page.tsx";
import { useAction } from "./loading.ts";
import { hrefOf, useLocation } from "./location.ts";
import { isStandalone, logOut, session } from "./session.ts";
import { useStore } from "./store.ts";

/** The dashboard: its navigation, and the current page. */
export function App() {
  const { path, query } = useLocation();
  const address = path.join("/");
  const { isOut } = useStore(session);
  const [name = "contacts", ...rest] = path;
  const page = pages.find((candidate) => candidate.path === name);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // Users of a keyboard or a screen reader continue at the new page, not at the link that they followed.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
    scrollTo(0, 0);
  }, [address]);
  return (
    <div class="app">
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the page
      </a>
      <Navigation current={name} />
      <main ref={main} tabIndex={-1} id="main">
        {page ? (
          <page.Content key={name} path={rest} query={query} />
        ) : (
          <Page title="There is no such page">
            <a href={hrefOf(["contacts"])}>Go to the contacts</a>
          </Page>
        )}
      </main>
      <Retrying />
      {isOut && <Out />}
    </div>
  );
}

function Navigation({ current }: { current: string }) {
  const groups = [...new Set(pages.map(({ group }) => group))];
  return (
    <nav class="navigation" aria-label="Pages">
      <div class="brand">whodid</div>
      {groups.map((group) => (
        <div class="navigation-group" key={group}>
          {group && <div class="navigation-title">{group}</div>}
          {pages
            .filter((page) => page.group === group)
            .map(({ path, title }) => (
              <a key={path} href={hrefOf([path])} aria-current={path === current ? "page" : undefined}>
                {title}
              </a>
            ))}
        </div>
      ))}
      {isStandalone && <LogOut />}
    </nav>
  );
}

function LogOut() {
  const { run, isRunning, error } = useAction(logOut);
  return (
    <div class="log-out">
      <button type="button" class="button small" disabled={isRunning} onClick={() => void run()}>
        Log out
      </button>
      <Failure error={error} />
    </div>
  );
}

/** Says that the server does not answer while requests are sent to it again. */
function Retrying() {
  const retrying = useStore(isRetrying);
  return (
    <div class="retrying" role="status">
      {retrying && "The server does not answer. Trying again…"}
    </div>
  );
}
