import { api } from "../../api.ts";
import { useDeed } from "../../deed.ts";
import { curlOf } from "../../kit/curl.ts";
import { Empty, WhenLoaded } from "../../kit/list.tsx";
import { MainAction } from "../../kit/main-action.tsx";
import { Page } from "../../kit/page.tsx";
import { Removal } from "../../kit/removal.tsx";
import { Named } from "../../kit/named.tsx";
import { SmallButton } from "../../kit/small-button.tsx";
import { Table } from "../../kit/table.tsx";
import { Code } from "../../kit/text.tsx";
import { useLoaded } from "../../loading.ts";
import type { AttributeDefinition } from "../../../../../lib/model/types.ts";
import { CreateAttribute, RenameAttribute } from "./forms.tsx";

const firstAttribute = curlOf("PUT", "/attributes/seats", { type: "number", name: "Seats" });

type Deed = { name: "create" } | { name: "rename" | "delete"; attribute: AttributeDefinition };

/** The attributes that contacts can have. */
export function Attributes() {
  const attributes = useLoaded((methods) => methods.attributes.list(), []);
  const { deed, begin, onClose, onDone } = useDeed<Deed>(attributes.reload);
  return (
    <Page
      title="Attributes"
      actions={
        <MainAction needs="putAttribute" onClick={() => begin({ name: "create" })}>
          Create attribute
        </MainAction>
      }
    >
      <WhenLoaded of={attributes}>
        {(items) => (items.length > 0 ? <List items={items} onDeed={begin} /> : <NoAttributes />)}
      </WhenLoaded>
      {deed?.name === "create" && <CreateAttribute onSaved={onDone} onClose={onClose} />}
      {deed?.name === "rename" && <RenameAttribute attribute={deed.attribute} onSaved={onDone} onClose={onClose} />}
      {deed?.name === "delete" && <DeleteAttribute attribute={deed.attribute} onRemoved={onDone} onClose={onClose} />}
    </Page>
  );
}

function List({ items, onDeed }: { items: readonly AttributeDefinition[]; onDeed: (deed: Deed) => void }) {
  return (
    <Table
      label="Attributes"
      rows={items}
      keyOf={({ key }) => key}
      columns={{ Attribute: (attribute) => <Named of={attribute} />, Type: ({ type }) => type }}
      actions={(attribute) => (
        <>
          <SmallButton
            action="Rename"
            of={attribute.key}
            needs="putAttribute"
            onClick={() => onDeed({ name: "rename", attribute })}
          />
          <SmallButton
            action="Delete"
            of={attribute.key}
            needs="deleteAttribute"
            onClick={() => onDeed({ name: "delete", attribute })}
          />
        </>
      )}
    />
  );
}

function DeleteAttribute({
  attribute: { key, name },
  ...closing
}: {
  attribute: AttributeDefinition;
  onRemoved: () => void;
  onClose: () => void;
}) {
  return (
    <Removal
      {...closing}
      title={`Delete “${name ?? key}”?`}
      action="Delete the attribute"
      remove={() => api.attributes.delete(key)}
    >
      <p>Every contact loses its value of this attribute. This cannot be undone.</p>
    </Removal>
  );
}

function NoAttributes() {
  return (
    <Empty title="There are no attributes yet.">
      <p>
        An attribute is something of your own that you keep about contacts, such as the number of seats they pay for.
        Create one here, or paste this with an API key of access admin:
      </p>
      <Code text={firstAttribute} />
    </Empty>
  );
}
