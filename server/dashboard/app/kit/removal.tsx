import type { ComponentChildren } from "preact";
import { useAction } from "../loading.ts";
import { Confirm } from "./dialog.tsx";
import { Failure } from "./failure.tsx";

/** Asks for confirmation, removes, and shows the error if that fails. */
export function Removal({
  title,
  action,
  remove,
  onDone,
  onClose,
  children,
}: {
  title: string;
  action: string;
  remove: () => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { run, isRunning, error } = useAction(remove);
  return (
    <Confirm
      {...{ title, action, isRunning, onClose }}
      onConfirm={() => void run().then((isRemoved) => isRemoved && onDone())}
    >
      {children}
      <Failure error={error} />
    </Confirm>
  );
}
