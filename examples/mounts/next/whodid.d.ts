// TypeScript in React learns the tag here, once.
import type { HTMLAttributes } from "react";

interface ChecklistAttributes extends HTMLAttributes<HTMLElement> {
  src?: string;
  checklist?: string;
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "whodid-checklist": ChecklistAttributes;
    }
  }
}
