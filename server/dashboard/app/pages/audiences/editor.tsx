import { useState } from "preact/hooks";
import type { AudienceDefinition } from "../../../../../lib/model/types.ts";
import { api, issuesOf } from "../../api.ts";
import { Failure } from "../../kit/failure.tsx";
import { Field } from "../../kit/field.tsx";
import { Page } from "../../kit/page.tsx";
import { CopyButton } from "../../kit/text.tsx";
import { useAction } from "../../loading.ts";
import { hrefOf, replaceLocation, useIsThere } from "../../location.ts";
import { useOverwriting } from "../../overwriting.tsx";
import { parseJson } from "../../rules/json.ts";
import { usePreview, useSettled } from "../../rules/preview.ts";
import { RuleEditor } from "../../rules/rule-editor.tsx";
import { useUnsaved, type Unsaved } from "../../unsaved.ts";
import { Delete } from "./delete.tsx";
import { blank, definitionOf, draftOf, type AudienceDraft } from "./draft.ts";
import { Entries, RuleChange, useEntries } from "./entries.tsx";
import { Members } from "./members.tsx";
import { Why } from "./why.tsx";

/** Edits an audience, or a new one if it is `null`: its name and its rule. Shows which contacts the edited rule matches. */
export function Editor({ audience, contact }: { audience: AudienceDefinition | null; contact: string }) {
  const unsaved = useUnsaved("audience", audience, draftOf, ({ key, name, text }) => ({ key, name, text }));
  const { draft, saved: stored, change } = unsaved;
  const parsed = parseJson(draft.text);
  // Do not send the empty rule of a new audience, because the server would report issues before the user types.
  const isAsked = parsed.problem === null && (audience !== null || draft.text !== blank.text);
  const rule = useSettled(isAsked ? JSON.stringify(parsed.rule) : null);
  const preview = usePreview(rule);
  const entries = useEntries(audience?.key ?? null);
  const { assertStored, question } = useOverwriting(api.audiences.list, unsaved.setStored);
  const save = useAction(async (sent: AudienceDraft) => {
    const mine = definitionOf(sent);
    await assertStored(unsaved.begun, mine);
    unsaved.store(sent, await api.audiences.define({ ...mine, announce: sent.announce }));
  });
  return (
    <Page
      back={{ href: hrefOf(["audiences"]), title: "All audiences" }}
      title={draft.name || "Create audience"}
      actions={<Actions {...{ audience, unsaved, save }} canSave={parsed.problem === null} />}
    >
      {audience && (
        <p class="identity">
          <code>{audience.key}</code> <CopyButton text={audience.key} label="Copy key" />
        </p>
      )}
      <Failure error={save.error} atFields={["key", "name"]} />
      <div class="fields">
        <Field
          label="Name"
          path="name"
          error={save.error}
          value={draft.name}
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
        {audience === null && (
          <Field
            label="Key"
            path="key"
            error={save.error}
            hint="Your backend asks for the audience by it, such as win_back. It never changes."
            value={draft.key}
            onInput={(event) => change({ key: event.currentTarget.value })}
          />
        )}
      </div>
      <RuleEditor text={draft.text} issues={issuesOf(preview.members.error)} onChange={(text) => change({ text })} />
      {entries.value && draft.text !== stored.text && <RuleChange announce={draft.announce} onChange={change} />}
      <Members preview={preview} rule={rule} isAsked={isAsked} />
      <Why audienceKey={audience?.key ?? null} rule={rule} contact={contact} />
      {audience && <Entries of={entries} />}
      {question}
    </Page>
  );
}

function Actions({
  audience,
  unsaved: { draft, isChanged, discard },
  save,
  canSave,
}: {
  audience: AudienceDefinition | null;
  unsaved: Unsaved<AudienceDefinition, AudienceDraft>;
  save: ReturnType<typeof useAction<[AudienceDraft]>>;
  canSave: boolean;
}) {
  const [isSaved, setIsSaved] = useState(false);
  const isThere = useIsThere();
  const run = async (): Promise<void> => {
    setIsSaved(false);
    const isDone = (await save.run(draft)) && isThere();
    if (isDone && audience === null) replaceLocation(hrefOf(["audiences", draft.key]));
    else setIsSaved(isDone);
  };
  return (
    <>
      <span class="muted" role="status">
        {isChanged ? "Not saved yet" : isSaved && "Saved"}
      </span>
      {isChanged && (
        <button type="button" class="button" onClick={discard}>
          Discard changes
        </button>
      )}
      <button
        type="button"
        class="button primary"
        disabled={save.isRunning || !isChanged || !canSave}
        onClick={() => void run()}
      >
        {save.isRunning ? "Saving…" : "Save"}
      </button>
      {audience && <Delete audience={audience} />}
    </>
  );
}
