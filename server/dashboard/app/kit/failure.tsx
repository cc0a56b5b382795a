import { issuesOf, messageOf } from "../api.ts";

/** Shows an error where it happened. Leaves out the issues at the paths `atFields`: the fields show them. */
export function Failure({
  error,
  retry,
  atFields = [],
}: {
  error: unknown;
  retry?: (() => void) | undefined;
  atFields?: readonly string[];
}) {
  if (error === undefined) return null;
  const issues = issuesOf(error);
  const others = issues.filter(({ path }) => !atFields.includes(path));
  if (issues.length > 0 && others.length === 0)
    return (
      <p class="failure" role="alert">
        Not saved: see the fields.
      </p>
    );
  return (
    <div class="failure" role="alert">
      {others.length === 0 ? (
        <p>{messageOf(error)}</p>
      ) : (
        others.map(({ path, message }) => (
          <p key={path + message}>
            {path && <code>{path}</code>} {message}
          </p>
        ))
      )}
      {retry && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
