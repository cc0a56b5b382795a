import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";

interface DialogProps {
  title: string;
  onClose: (() => void) | null;
  children: ComponentChildren;
}

/** A window over the page, which keeps the focus. Escape closes it, unless `onClose` is `null`. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    // `close` returns the focus to where it was. It must run before the element is removed.
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={({ currentTarget }) => {
        // A browser closes the dialog at the second Escape in a row, even if `onCancel` prevented it.
        if (!currentTarget.isConnected) return;
        if (onClose) onClose();
        else currentTarget.showModal();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

export interface ConfirmProps extends DialogProps {
  action: string;
  isRunning: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, action, isRunning, onConfirm, onClose, children }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="dialog-actions">
        <Button action="Cancel" onClick={onClose} />
        <Button action={action} look="danger" isDisabled={isRunning} onClick={onConfirm} />
      </div>
    </Dialog>
  );
}
