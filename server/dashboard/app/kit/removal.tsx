import { useAction } from "../loading.ts";
import { Confirm, type ConfirmProps } from "./dialog.tsx";
import { Failure } from "./failure.tsx";

interface RemovalProps extends Omit<ConfirmProps, "isRunning" | "onConfirm"> {
  remove: () => Promise<unknown>;
  onDone: () => void;
}

/** Asks for confirmation, removes, and shows the error if the removal fails. */
export function Removal({ remove, onDone, children, ...dialog }: RemovalProps) {
  const { run, isRunning, error } = useAction(remove);
  const onConfirm = (): void => void run().then((isRemoved) => isRemoved && onDone());
  return (
    <Confirm {...dialog} {...{ isRunning, onConfirm }}>
      {children}
      <Failure error={error} />
    </Confirm>
  );
}
