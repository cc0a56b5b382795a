import { useState } from "preact/hooks";
import { Back, CopyButton, Empty, Page, Tabs, WhenLoaded } from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";
import { hrefOf, replaceLocation, useIsThere } from "../../location.ts";
import type { AttributeDefinition, Contact, Deletion } from "../../../../../lib/model/types.ts";
import { ContactAudiences } from "./audiences.tsx";
import { ContactChecklists } from "./checklists.tsx";
import { DeleteButton, Receipt } from "./deletion.tsx";
import { ContactEvents } from "./events.tsx";
import { ExportButton } from "./export.tsx";
import { nameOf } from "./name.ts";
import { Profile } from "./profile.tsx";

const parts = [
  { path: "", title: "Events", Content: ContactEvents },
  { path: "checklists", title: "Checklists", Content: ContactChecklists },
  { path: "audiences", title: "Audiences", Content: ContactAudiences },
] as const;

interface ContactPageProps {
  externalId: string;
  part: string;
  query: Readonly<Record<string, string>>;
}

/** The page of a contact: its profile, events, checklists and audiences. */
export function ContactPage({ externalId, part, query }: ContactPageProps) {
  const loaded = useLoaded(
    async (methods) => {
      const [contact, attributes] = await Promise.all([methods.contacts.get(externalId), methods.attributes.list()]);
      return { contact, attributes };
    },
    [externalId],
  );
  return (
    <>
      <Back href={hrefOf(["contacts"])} title="All contacts" />
      <WhenLoaded of={loaded}>
        {({ contact, attributes }) =>
          contact ? <Found contact={contact} {...{ attributes, part, query }} /> : <NotFound externalId={externalId} />
        }
      </WhenLoaded>
    </>
  );
}

function NotFound({ externalId }: { externalId: string }) {
  return (
    <Page title={externalId}>
      <Empty title="There is no such contact.">
        <p>It may have been deleted, or have another external id now.</p>
        <p>
          <a href={hrefOf(["contacts"], { query: externalId })}>Find contacts that begin like that</a>
        </p>
      </Empty>
    </Page>
  );
}

interface FoundProps extends Omit<ContactPageProps, "externalId"> {
  contact: Contact;
  attributes: readonly AttributeDefinition[];
}

function Found({ contact: loaded, attributes, part, query }: FoundProps) {
  const [contact, setContact] = useState(loaded);
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  const isThere = useIsThere();
  if (deletion) return <Receipt contact={contact} deletion={deletion} />;
  const save = (saved: Contact): void => {
    setContact(saved);
    // The old address would find nobody.
    if (saved.externalId !== contact.externalId && isThere())
      replaceLocation(hrefOfPart(saved.externalId, part, query));
  };
  const shown = parts.find(({ path }) => path === part);
  const actions = (
    <>
      <ExportButton contact={contact} />
      <DeleteButton contact={contact} onDeleted={setDeletion} />
    </>
  );
  return (
    <Page title={nameOf(contact)} actions={actions}>
      <p class="line identity">
        <code>{contact.externalId}</code> <CopyButton text={contact.externalId} label="Copy external id" />
      </p>
      <div class="beside">
        <Profile {...{ contact, attributes }} onSaved={save} />
        <div>
          <Tabs
            label="Parts of the contact"
            tabs={parts.map(({ path, title }) => ({
              title,
              href: hrefOfPart(contact.externalId, path),
              isCurrent: path === part,
            }))}
          />
          {shown ? <shown.Content contact={contact} query={query} /> : <Empty title="There is no such page." />}
        </div>
      </div>
    </Page>
  );
}

function hrefOfPart(externalId: string, part: string, query: Readonly<Record<string, string>> = {}): string {
  return hrefOf(["contacts", externalId, ...(part ? [part] : [])], query);
}
