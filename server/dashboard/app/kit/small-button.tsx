import type { RouteName } from "../../../../lib/http/routes/lines.ts";
import { may } from "../session.ts";

interface SmallButtonProps {
  action: string;
  /** The name of the thing beside the button. It is a part of the name of the button. */
  of: string;
  /** The route that it calls. Without the access that it needs, the action is not offered. */
  needs?: RouteName;
  isDisabled?: boolean;
  onClick: () => void;
}

/** An action on one of several things. */
export function SmallButton({ action, of, needs, isDisabled = false, onClick }: SmallButtonProps) {
  if (needs && !may(needs)) return null;
  return (
    <button type="button" class="button small" aria-label={`${action} ${of}`} disabled={isDisabled} onClick={onClick}>
      {action}
    </button>
  );
}
