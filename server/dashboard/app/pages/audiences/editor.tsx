import type { AudienceDefinition } from "../../../../../lib/model/types.ts";
import { api, issuesOf } from "../../api.ts";
import { Editor, useEditing } from "../../definitions/editor.tsx";
import { TextField } from "../../kit/index.ts";
import { parseJson } from "../../rules/json.ts";
import { usePreview, useSettled } from "../../rules/preview.ts";
import { RuleEditor } from "../../rules/rule-editor.tsx";
import { may } from "../../session.ts";
import { blank, definitionOf, draftOf, type AudienceDraft } from "./draft.ts";
import { Entries, RuleChange, useEntries } from "./entries.tsx";
import { Members } from "./members.tsx";
import { Why } from "./why.tsx";

// Compares the text, because it may not be valid JSON yet.
const compared = ({ key, name, text }: AudienceDraft) => ({ key, name, text });

interface AudienceEditorProps {
  audience: AudienceDefinition | null;
  contact: string;
  /** The rule of a new audience, as JSON; empty for the rule that is not finished yet. */
  linked: string;
}

/** Edits an audience; `null` for a new one. Shows which contacts the edited rule matches. */
export function AudienceEditor({ audience, contact, linked }: AudienceEditorProps) {
  const editing = useEditing(
    "audience",
    audience,
    { draftOf: (stored) => draftOf(stored, linked), definitionOf, compared },
    {
      list: api.audiences.list,
      define: (draft: AudienceDraft) => api.audiences.define({ ...definitionOf(draft), announce: draft.announce }),
    },
    linked,
  );
  const { draft, saved, change } = editing;
  const parsed = parseJson(draft.text);
  // Do not send the empty rule of a new audience, because the server would report issues before the user types.
  const isAsked = parsed.problem === null && (audience !== null || draft.text !== blank.text);
  const rule = useSettled(isAsked ? JSON.stringify(parsed.rule) : null);
  const preview = usePreview(rule);
  const entries = useEntries(audience?.key ?? null);
  return (
    <Editor
      kind="audience"
      definition={audience}
      editing={editing}
      isWhole={parsed.problem === null}
      fields={["key", "name"]}
    >
      <fieldset class="plain" disabled={!may("putAudience")}>
        <div class="fields">
          <TextField of={editing} path="name" label="Name" />
          {audience === null && (
            <TextField
              of={editing}
              path="key"
              label="Key"
              hint="Your backend asks for the audience by it, such as win_back. It never changes."
            />
          )}
        </div>
      </fieldset>
      <RuleEditor text={draft.text} issues={issuesOf(preview.members.error)} onChange={(text) => change({ text })} />
      {may("putAudience") && entries.value && draft.text !== saved.text && <RuleChange of={editing} />}
      <Members {...{ preview, rule, isAsked }} audienceKey={audience?.key ?? null} />
      <Why audienceKey={audience?.key ?? null} rule={rule} {...{ contact, linked }} />
      {audience && <Entries of={entries} />}
    </Editor>
  );
}
