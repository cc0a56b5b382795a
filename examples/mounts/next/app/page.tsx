// Next.js: the checklist of each user. `me/[[...path]]/route.ts` answers it.
"use client";
import "whodid/browser";
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

export default function Page() {
  return <whodid-checklist src="/me" checklist="onboarding" />;
}
