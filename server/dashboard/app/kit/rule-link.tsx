import type { ComponentChildren } from "preact";
import type { Rule } from "../../../../lib/model/types.ts";
import { newKeyOf } from "../definitions/kinds.ts";
import { hrefOf } from "../location.ts";
import { may } from "../session.ts";

interface RuleLinkProps {
  rule: Rule;
  /** The name of the link for screen readers, if its text stands on the page several times. */
  label?: string;
  class?: string;
  children: ComponentChildren;
}

/** Links to a new audience with the rule, which shows who matches it. */
export function RuleLink({ rule, label, ...others }: RuleLinkProps) {
  if (!may("putAudience")) return null;
  const href = hrefOf(["audiences", newKeyOf("audience")], { rule: JSON.stringify(rule) });
  return <a aria-label={label} href={href} {...others} />;
}
