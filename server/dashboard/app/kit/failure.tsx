import { issuesOf, messageOf } from "../api.ts";
import { Button } from "./button.tsx";

interface FailureProps {
  error: unknown;
  retry?: (() => void) | undefined;
  /** The paths of fields that show their own issues. Issues at these paths are left out here. */
  atFields?: readonly string[];
}

/** Shows an error where it happened. */
export function Failure({ error, retry, atFields = [] }: FailureProps) {
  if (error === undefined) return null;
  const issues = issuesOf(error);
  const others = issues.filter(({ path }) => !atFields.includes(path));
  if (issues.length > 0 && others.length === 0)
    return (
      <p class="line failure" role="alert">
        Not saved: see the fields.
      </p>
    );
  return (
    <div class="line failure" role="alert">
      {others.length === 0 ? (
        <p>{messageOf(error)}</p>
      ) : (
        others.map(({ path, message }) => (
          <p key={path + message}>
            {path && <code>{path}</code>} {message}
          </p>
        ))
      )}
      {retry && <Button action="Try again" onClick={retry} />}
    </div>
  );
}
