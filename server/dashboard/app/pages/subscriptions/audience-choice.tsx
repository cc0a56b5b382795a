import { issuesAt } from "../../api.ts";
import { WhenLoaded } from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";

interface AudienceChoiceProps {
  chosen: readonly string[];
  error: unknown;
  onChange: (chosen: readonly string[]) => void;
}

/** Chooses among all audiences. */
export function AudienceChoice({ chosen, error, onChange }: AudienceChoiceProps) {
  const audiences = useLoaded((methods) => methods.audiences.list(), []);
  const issues = issuesAt(error, "on.audiences");
  return (
    <fieldset class="plain">
      <legend>Contacts that enter and leave these audiences</legend>
      <WhenLoaded of={audiences}>
        {(items) =>
          items.length === 0 ? (
            <p class="hint">There are no audiences yet.</p>
          ) : (
            <div class="framed choices">
              {items.map(({ key, name }) => (
                <label key={key} class="check">
                  <input
                    type="checkbox"
                    checked={chosen.includes(key)}
                    onChange={({ currentTarget: { checked } }) =>
                      onChange(checked ? [...chosen, key] : chosen.filter((other) => other !== key))
                    }
                  />
                  <span>
                    {name} <code class="muted">{key}</code>
                  </span>
                </label>
              ))}
            </div>
          )
        }
      </WhenLoaded>
      {issues.length > 0 && <p class="field-issues">{issues.join(" ")}</p>}
    </fieldset>
  );
}
