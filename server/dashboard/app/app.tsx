import { useEffect, useRef } from "preact/hooks";
import { delay } from "./api.ts";
import { enter } from "./entrance.ts";
import { logOut } from "./key.ts";
import { Out } from "./out.tsx";
import { pages } from "./pages/index.ts";
import { Failure, Page, SmallButton } from "./kit/index.ts";
import { useAction } from "./loading.ts";
import { hrefOf, useLocation } from "./location.ts";
import { isStandalone, may, session } from "./session.ts";
import { useStore } from "./store.ts";

/** The dashboard. Shows its pages after the server has let the user in. */
export function App() {
  const { own, isOut } = useStore(session);
  return (
    <>
      {own ? <Pages /> : isOut || <Entrance />}
      <Delay />
      {isOut && <Out />}
    </>
  );
}

function Entrance() {
  const { run, isRunning, error } = useAction(enter);
  useEffect(() => {
    void run();
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return (
    <main>{isRunning ? <p class="loading">Loading…</p> : <Failure error={error} retry={() => void run()} />}</main>
  );
}

/** The navigation, and the current page. */
function Pages() {
  const { path, query } = useLocation();
  const address = path.join("/");
  const [name = pages[0]!.path, ...rest] = path;
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
        {page && may(page.needs) ? (
          <page.Content key={name} path={rest} query={query} />
        ) : (
          <Page title={page ? "This page needs another API key" : "There is no such page"}>
            <a href={hrefOf(["contacts"])}>Go to the contacts</a>
          </Page>
        )}
      </main>
    </div>
  );
}

function Navigation({ current }: { current: string }) {
  const { workspace, apiKey } = session.get().own!;
  const offered = pages.filter(({ needs }) => may(needs));
  const groups = [...new Set(offered.map(({ group }) => group))];
  return (
    <nav class="navigation" aria-label="Pages">
      <div class="brand">
        whodid
        <div class="own clamped">
          {workspace}
          {apiKey && `, ${apiKey.name}`}
        </div>
      </div>
      {groups.map((group) => (
        <div class="stack navigation-group" key={group}>
          {group && <div class="navigation-title">{group}</div>}
          {offered
            .filter((page) => page.group === group)
            .map(({ path, title }) => (
              <a key={path} href={hrefOf([path])} aria-current={path === current ? "page" : undefined}>
                {title}
              </a>
            ))}
        </div>
      ))}
      {isStandalone && (
        <div class="log-out">
          <SmallButton action="Log out" onClick={logOut} />
        </div>
      )}
    </nav>
  );
}

/** Says why requests wait to be sent again. */
function Delay() {
  return (
    <div class="floating retrying" role="status">
      {useStore(delay)}
    </div>
  );
}
