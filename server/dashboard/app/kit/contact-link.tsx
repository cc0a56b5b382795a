import { hrefOf } from "../location.ts";

/** Links to the contact with an external id. */
export function ContactLink({ to: externalId, isTitle = false }: { to: string; isTitle?: boolean }) {
  return (
    <a class={isTitle ? "row-link clamped" : "clamped"} href={hrefOf(["contacts", externalId])}>
      {externalId}
    </a>
  );
}
