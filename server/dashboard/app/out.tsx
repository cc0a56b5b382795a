import { useState } from "preact/hooks";
import { logIn } from "./entrance.ts";
import { Button, Dialog, Field } from "./kit/index.ts";
import { ignoreOffers } from "./key.ts";
import { useAction } from "./loading.ts";
import { isStandalone } from "./session.ts";

/** Shown over the page after the server has refused the user. The page below keeps its drafts. */
export function Out() {
  return isStandalone ? <Login /> : <Refused />;
}

function Login() {
  const [problem, setProblem] = useState<string | null>(null);
  const { run, isRunning } = useAction(async (key: string) => setProblem(await logIn(key)));
  return (
    <Dialog title="Log in to whodid" onClose={null}>
      <form
        class="stack form"
        onInput={ignoreOffers}
        onSubmit={(event) => {
          event.preventDefault();
          // A password manager may fill the field without an event.
          void run((event.currentTarget.elements.namedItem("key") as HTMLInputElement).value);
        }}
      >
        <Field
          label="Name"
          path="name"
          name="name"
          autocomplete="username"
          hint="Workspace or name, for your password manager. It is kept nowhere."
        />
        <Field
          label="API key"
          path="key"
          name="key"
          type="password"
          autocomplete="current-password"
          problem={problem}
          hint="`whodid keys create --name NAME --access admin` makes one."
        />
        <div class="dialog-actions">
          <button type="submit" class="button primary">
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
        <Button action="Load again" look="primary" onClick={() => location.reload()} />
      </div>
    </Dialog>
  );
}
