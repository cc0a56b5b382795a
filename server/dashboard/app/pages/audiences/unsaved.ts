import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AudienceDefinition } from "../../../../../lib/model/types.ts";
import { emptyRow } from "../../rules/draft.ts";
import { toJson } from "../../rules/json.ts";
import { keepUnsaved, readUnsaved } from "../../unsaved.ts";

/** Takes the place of the key in the address of a new audience. No key contains a hyphen. */
export const newAudience = "new-audience";

/** The draft of an audience. The text is its rule. */
export interface Edited {
  key: string;
  name: string;
  text: string;
}

export interface Editing {
  edited: Edited;
  isChanged: boolean;
  change(changes: Partial<Edited>): void;
  /** Replaces the sent draft with the stored audience, unless the user has typed since. */
  store(sent: Edited, stored: AudienceDefinition): void;
  discard(): void;
}

/** Keeps the draft in the tab until it is saved or discarded, also while other pages are shown. */
export function useEdited(audience: AudienceDefinition | null): Editing {
  const id = unsavedOf(audience?.key ?? newAudience);
  const [saved, setSaved] = useState(() => editedOf(audience));
  const [edited, setEdited] = useState(() => readUnsaved<Edited>(id) ?? saved);
  const newest = useRef(edited);
  newest.current = edited;
  const isChanged = !isSame(edited, saved);
  useLayoutEffect(() => keepUnsaved(id, isChanged ? edited : null), [id, edited, isChanged]);
  return {
    edited,
    isChanged,
    change: (changes) => setEdited((before) => ({ ...before, ...changes })),
    store(sent, stored) {
      const taken = editedOf(stored);
      const isTypedSince = !isSame(newest.current, sent);
      if (audience === null) {
        keepUnsaved(id, null);
        keepUnsaved(unsavedOf(stored.key), isTypedSince ? { ...newest.current, key: stored.key } : null);
        return;
      }
      setSaved(taken);
      if (!isTypedSince) setEdited(taken);
    },
    discard: () => setEdited(saved),
  };
}

/** The draft of a new audience before the user types. */
export const blank: Edited = { key: "", name: "", text: toJson(emptyRow.rule) };

function editedOf(audience: AudienceDefinition | null): Edited {
  return audience ? { key: audience.key, name: audience.name, text: toJson(audience.rule) } : blank;
}

function isSame(one: Edited, other: Edited): boolean {
  return one.key === other.key && one.name === other.name && one.text === other.text;
}

/** The name under which the draft of an audience is stored. */
export const unsavedOf = (key: string): string => `audience ${key}`;
