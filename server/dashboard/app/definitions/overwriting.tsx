import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { assertNewKey } from "../form.ts";
import { Confirm } from "../kit/index.ts";
import { toSortedJson } from "../rules/json.ts";

interface Overwriting<Definition> {
  /**
   * Reads the definition again. Asks the user if it is no longer what the user began with, and rejects with an `AbortError` if the
   * user then keeps the stored one. `begun` is `null` for a new definition, whose key is refused if it is taken.
   */
  assertStored(begun: Definition | null, mine: Definition): Promise<void>;
  /** The dialog with the question, while it is open. */
  question: ComponentChildren;
}

interface Question<Definition> {
  /** `null` if it was deleted. */
  stored: Definition | null;
  mine: Definition;
  answer: (isOverwritten: boolean) => void;
}

/** Shows the user somebody else's change before it is replaced. `onRead` gets the definition that was stored meanwhile. */
export function useOverwriting<Definition extends { key: string }>(
  list: () => Promise<readonly Definition[]>,
  onRead?: (stored: Definition) => void,
): Overwriting<Definition> {
  const [asked, setAsked] = useState<Question<Definition> | null>(null);
  const assertStored = async (begun: Definition | null, mine: Definition): Promise<void> => {
    const defined = await list();
    if (begun === null) return assertNewKey(mine.key, defined);
    const stored = defined.find(({ key }) => key === mine.key) ?? null;
    // The stored definition equals the user's own if the answer to an earlier try was lost.
    if ([begun, mine].some((known) => toSortedJson(known) === toSortedJson(stored))) return;
    if (stored) onRead?.(stored);
    const isOverwritten = await new Promise<boolean>((answer) => setAsked({ stored, mine, answer }));
    setAsked(null);
    if (!isOverwritten) throw new DOMException("The user keeps the stored definition.", "AbortError");
    // The stored definition may change again while the user reads.
    await assertStored(stored, mine);
  };
  return { assertStored, question: asked && <Ask {...asked} /> };
}

function Ask({ stored, mine, answer }: Question<object>) {
  const [theirLines, myLines] = [stored, mine].map((one) => (one ? toSortedJson(one).split("\n") : []));
  return (
    <Confirm
      title={stored ? "Somebody else has changed this" : "Somebody else has deleted this"}
      action={stored ? "Save mine" : "Create it again"}
      isRunning={false}
      onConfirm={() => answer(true)}
      onClose={() => answer(false)}
    >
      <div class="stack form">
        <p>It is no longer what you began to edit. Yours is not saved yet, and stays in the form if you cancel.</p>
        <h3>Stored now</h3>
        {stored ? <Lines of={theirLines!} besides={myLines!} /> : <p class="muted">Nothing</p>}
        <h3>Yours</h3>
        <Lines of={myLines!} besides={theirLines!} />
      </div>
    </Confirm>
  );
}

/** Shows lines of text. Marks the lines that `others` lacks. */
function Lines({ of: lines, besides: others }: { of: readonly string[]; besides: readonly string[] }) {
  return (
    <div class="framed code">
      <pre tabIndex={0}>{lines.map((line) => (others.includes(line) ? `${line}\n` : <mark>{`${line}\n`}</mark>))}</pre>
    </div>
  );
}
