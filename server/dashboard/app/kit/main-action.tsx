import type { ComponentChildren } from "preact";
import type { RouteName } from "../../../../lib/http/routes/lines.ts";
import { may } from "../session.ts";

interface MainActionProps {
  /** The route that it calls. Without the access that it needs, the action is not offered. */
  needs: RouteName;
  onClick: () => void;
  children: ComponentChildren;
}

/** The action of a whole page. */
export function MainAction({ needs, onClick, children }: MainActionProps) {
  if (!may(needs)) return null;
  return (
    <button type="button" class="button primary" onClick={onClick}>
      {children}
    </button>
  );
}
