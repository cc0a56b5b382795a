import type { ComponentChildren } from "preact";
import type { RouteName } from "../../../../lib/http/routes/lines.ts";
import { may } from "../session.ts";

interface ButtonProps {
  action: string;
  /** The name of the thing that is acted on, if there are several. It is a part of the name of the button. */
  of?: string | undefined;
  /** Shown in place of the action. */
  sign?: ComponentChildren;
  /** The classes of the style beside `button`. */
  look?: string;
  /** The route that the action calls. Without the access that the route needs, there is no button. */
  needs?: RouteName;
  isDisabled?: boolean;
  onClick: () => void;
}

/** An action of the page. */
export function Button({ action, of, sign = action, look = "", needs, isDisabled = false, onClick }: ButtonProps) {
  if (needs && !may(needs)) return null;
  const label = of === undefined ? undefined : `${action} ${of}`;
  return (
    <button type="button" class={`button ${look}`} aria-label={label} disabled={isDisabled} onClick={onClick}>
      {sign}
    </button>
  );
}

/** An action on a part of the page. */
export function SmallButton(props: Omit<ButtonProps, "look">) {
  return <Button {...props} look="small" />;
}
