interface SmallButtonProps {
  action: string;
  /** The name of the thing beside the button. It is a part of the name of the button. */
  of: string;
  isDisabled?: boolean;
  onClick: () => void;
}

/** An action on one of several things. */
export function SmallButton({ action, of, isDisabled = false, onClick }: SmallButtonProps) {
  return (
    <button type="button" class="button small" aria-label={`${action} ${of}`} disabled={isDisabled} onClick={onClick}>
      {action}
    </button>
  );
}
