import { useState } from "preact/hooks";

/** Properties that every dialog takes. */
export interface Closing {
  onDone: () => void;
  onClose: () => void;
}

/** The action whose dialog is open, `null` if none is; and the functions that open and close dialogs. */
interface Deeds<Deed> {
  deed: Deed | null;
  begin: (deed: Deed) => void;
  /** The properties of the dialog. `onDone` closes it, and calls `onChange`. */
  closing: Closing;
}

/** An action that the user begins, and confirms or describes in a dialog. */
export function useDeed<Deed>(onChange: () => void): Deeds<Deed> {
  const [deed, setDeed] = useState<Deed | null>(null);
  return {
    deed,
    begin: (begun) => setDeed(() => begun),
    closing: {
      onClose: () => setDeed(null),
      onDone() {
        // The user may have closed this dialog meanwhile, and typed into another.
        setDeed((now) => (now === deed ? null : now));
        onChange();
      },
    },
  };
}
