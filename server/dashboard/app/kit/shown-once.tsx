import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { CopyButton } from "./text.tsx";

interface ShownOnceProps {
  title: string;
  text: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** Shows a new secret. Escape does not close the dialog, because nobody can show the secret again. */
export function ShownOnce({ title, text, onClose, children }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={null}>
      <p>{children}</p>
      <div class="line framed secret">
        <code>{text}</code>
        <CopyButton text={text} />
      </div>
      <div class="dialog-actions">
        <Button action="I have stored it" look="primary" onClick={onClose} />
      </div>
    </Dialog>
  );
}
