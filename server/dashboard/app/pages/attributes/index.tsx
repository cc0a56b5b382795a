import { Definitions } from "../../definitions/definitions.tsx";
import { Named, Table } from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";
import { AttributeForm } from "./form.tsx";

/** The attributes that contacts can have. */
export function Attributes() {
  const attributes = useLoaded((methods) => methods.attributes.list(), []);
  return (
    <Definitions kind="attribute" of={attributes} Form={AttributeForm}>
      {(items, actionsOf) => (
        <Table
          label="Attributes"
          rows={items}
          keyOf={({ key }) => key}
          columns={{ Attribute: (attribute) => <Named of={attribute} />, Type: ({ type }) => type }}
          actions={actionsOf}
        />
      )}
    </Definitions>
  );
}
