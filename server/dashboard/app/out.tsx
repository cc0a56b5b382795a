import { useState } from "preact/hooks";
import { Dialog } from "./kit/dialog.tsx";
import { useAction } from "./loading.ts";
import { isStandalone, logIn } from "./session.ts";

/** Shown over the page after the server has refused the user. The page below keeps its drafts. */
export function Out() {
  return isStandalone ? <Login /> : <Refused />;
}

function Login() {
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const { run, isRunning } = useAction(async () => setProblem(await logIn(password)));
  return (
    <Dialog title="Log in to whodid" onClose={null}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <div class="field">
          <label for="password">Password</label>
          <input
            class="input"
            id="password"
            type="password"
            autocomplete="current-password"
            value={password}
            aria-describedby="password-told"
            aria-invalid={problem !== null}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
          <div id="password-told" class={problem ? "field-issues" : "hint"} role="status">
            {problem ?? "The server's DASHBOARD_PASSWORD, or what it printed at its start."}
          </div>
        </div>
        <div class="dialog-actions">
          <button type="submit" class="button primary" disabled={isRunning || password === ""}>
            {isRunning ? "Logging in…" : "Log in"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Refused() {
  return (
    <Dialog title="You may not use this dashboard" onClose={null}>
      <p>The application refuses the request. Log in there, then load this page again.</p>
      <div class="dialog-actions">
        <button type="button" class="button primary" onClick={() => location.reload()}>
          Load again
        </button>
      </div>
    </Dialog>
  );
}
