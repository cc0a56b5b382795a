import { useId, useRef } from "preact/hooks";
import type { Issue } from "../../../../lib/model/errors.ts";
import { Failure, Section } from "../kit/index.ts";
import { Builder } from "./builder.tsx";
import { useCatalogue } from "./catalogue.ts";
import { draftOf, ruleOf, type Draft } from "./draft.ts";
import { parseJson, toJson } from "./json.ts";

interface RuleEditorProps {
  text: string;
  issues: readonly Issue[];
  onChange: (text: string) => void;
}

/** Edits a rule as rows and as JSON, side by side. The JSON is the state: the rows show it, and each change rewrites it. */
export function RuleEditor({ text, issues, onChange }: RuleEditorProps) {
  const { rule, problem } = parseJson(text);
  const lastDraft = useRef<Draft | null>(null);
  if (problem === null) lastDraft.current = draftOf(rule);
  const draft = lastDraft.current;
  const catalogue = useCatalogue();
  return (
    <Section title="Rule">
      <div class="rule-editor">
        <div>
          {draft && problem !== null && <p class="hint">The rows wait until the JSON is whole.</p>}
          {draft ? (
            <fieldset class="plain" disabled={problem !== null}>
              <Builder
                draft={draft}
                catalogue={catalogue.value!}
                issues={issues}
                onChange={(changed) => onChange(toJson(ruleOf(changed)))}
              />
            </fieldset>
          ) : (
            <p class="hint">
              The rows cannot show this rule: they have one level of groups, and only what the server takes. Edit it as
              JSON.
            </p>
          )}
          {catalogue.error !== undefined && <Failure error={catalogue.error} retry={catalogue.reload} />}
        </div>
        <Json {...{ text, problem, onChange }} issues={draft ? [] : issues} />
      </div>
    </Section>
  );
}

function Json({ text, problem, issues, onChange }: RuleEditorProps & { problem: string | null }) {
  const told = useId();
  return (
    <div class="stack field">
      <textarea
        class="input rule-json"
        aria-label="The rule as JSON"
        aria-invalid={problem !== null}
        aria-describedby={told}
        spellcheck={false}
        rows={Math.min(Math.max(text.split("\n").length + 1, 8), 30)}
        value={text}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <div id={told} class="field-issues" role="status">
        {problem}
        {issues.map(({ path, message }) => (
          <div key={path + message}>
            <code>{path}</code> {message}
          </div>
        ))}
      </div>
    </div>
  );
}
