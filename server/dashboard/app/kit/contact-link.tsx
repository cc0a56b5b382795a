import { hrefOf } from "../location.ts";

interface ContactLinkProps {
  to: { externalId: string; name?: string | null; email?: string };
  isTitle?: boolean;
}

/** Links to a contact by its name, else by its email, else by its external id. */
export function ContactLink({ to: { externalId, name, email }, isTitle = false }: ContactLinkProps) {
  return (
    <a class={isTitle ? "row-link clamped" : "clamped"} href={hrefOf(["contacts", externalId])}>
      {name || email || externalId}
    </a>
  );
}
