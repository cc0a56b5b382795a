import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Form } from "../form.ts";
import { Button, CopyButton, Failure, Page } from "../kit/index.ts";
import { useAction } from "../loading.ts";
import { goTo, hrefOf, replaceLocation, useIsThere } from "../location.ts";
import { useOverwriting } from "./overwriting.tsx";
import { DeleteDefinition } from "./definitions.tsx";
import { toCode } from "../rules/json.ts";
import { kinds, type EditedKind } from "./kinds.ts";
import { useUnsaved, type Unsaved } from "./unsaved.ts";

interface Named {
  key: string;
  name: string;
}

interface Editing<Definition, Draft extends object> extends Form<Draft>, Unsaved<Definition, Draft> {
  /** The dialog that asks before somebody else's change is replaced. */
  question: ComponentChildren;
}

/**
 * `definition` is `null` for a new one. Two drafts are the same if `compared` returns the same JSON for them. `linked` tells apart
 * new ones that begin differently, so that none replaces the draft of another.
 */
export function useEditing<Definition extends Named, Draft extends Named>(
  kind: EditedKind,
  definition: Definition | null,
  drafts: {
    draftOf(definition: Definition | null): Draft;
    definitionOf(draft: Draft): Definition;
    compared(draft: Draft): object;
  },
  methods: { list(): Promise<readonly Definition[]>; define(draft: Draft): Promise<Definition> },
  linked = "",
): Editing<Definition, Draft> {
  const unsaved = useUnsaved(kind, definition, drafts.draftOf, drafts.compared, linked);
  const { draft, begun, store, setStored } = unsaved;
  const { assertStored, question } = useOverwriting(() => methods.list(), setStored);
  const { run, isRunning, error } = useAction(async () => {
    await assertStored(begun, drafts.definitionOf(draft));
    store(draft, await methods.define(draft));
  });
  return { ...unsaved, save: run, isSaving: isRunning, error, question };
}

interface EditorProps<Definition, Draft extends object> {
  kind: EditedKind;
  definition: Definition | null;
  editing: Editing<Definition, Draft>;
  /** Whether the draft can be sent. */
  isWhole?: boolean;
  /** The paths of the fields that show their own issues. */
  fields: readonly string[];
  children: ComponentChildren;
}

/** The page that edits a definition. Its last row has the same buttons for every kind, and stays in sight. */
export function Editor<Definition extends Named, Draft extends Named>(props: EditorProps<Definition, Draft>) {
  const { kind, definition, editing, isWhole = true, fields, children } = props;
  const { draft, begun, saved, isChanged, save, isSaving, error, discard, question } = editing;
  const [isSaved, setSaved] = useState(false);
  const isThere = useIsThere();
  const run = async (): Promise<void> => {
    setSaved(false);
    const isDone = (await save()) && isThere();
    if (isDone && !definition) replaceLocation(hrefOf([`${kind}s`, draft.key]));
    else setSaved(isDone);
  };
  return (
    <Page
      back={{ href: hrefOf([`${kind}s`]), title: `All ${kind}s` }}
      title={definition ? saved.name : `Create ${kind}`}
    >
      {definition && (
        <p class="line identity">
          <code>{definition.key}</code> <CopyButton text={definition.key} label="Copy key" />
          <CopyButton text={`await tracker.${kind}s.define(${toCode(begun)});`} label="Copy as code" />
        </p>
      )}
      <div class="edited">{children}</div>
      <div class="line save-bar">
        <Failure error={error} atFields={fields} />
        {definition && <Delete kind={kind} of={saved} />}
        <span class="muted" role="status">
          {isChanged ? "Not saved" : isSaved && "Saved"}
        </span>
        {isChanged && <Button action="Discard" onClick={discard} />}
        <Button
          action={isSaving ? "Saving…" : definition ? "Save" : "Create"}
          look="primary"
          needs={kinds[kind].needs.save}
          isDisabled={isSaving || !isWhole}
          onClick={() => void run()}
        />
      </div>
      {question}
    </Page>
  );
}

function Delete({ kind, of }: { kind: EditedKind; of: Named }) {
  const [isAsking, setAsking] = useState(false);
  const isThere = useIsThere();
  return (
    <>
      <Button action="Delete" look="delete" needs={kinds[kind].needs.delete} onClick={() => setAsking(true)} />
      {isAsking && (
        <DeleteDefinition
          {...{ kind, of }}
          onDone={() => isThere() && goTo(hrefOf([`${kind}s`]))}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
