import { api } from "../../api.ts";
import { assertNewKey, useForm } from "../../form.ts";
import { ChoiceField, FormDialog, TextField } from "../../kit/form.tsx";
import type { AttributeDefinition, AttributeType } from "../../../../../lib/model/types.ts";

interface Closing {
  onSaved: () => void;
  onClose: () => void;
}

const types: Readonly<Record<AttributeType, string>> = { text: "Text", number: "Number", boolean: "Yes or no" };

export function CreateAttribute(closing: Closing) {
  const initial = { key: "", name: "", type: "text" as AttributeType };
  const form = useForm(initial, async ({ key, name, type }) => {
    assertNewKey(key, await api.attributes.list());
    await api.attributes.define({ key, type, name: name || null });
  });
  return (
    <FormDialog {...closing} form={form} title="Create attribute" action="Create" fields={Object.keys(form.draft)}>
      <TextField of={form} path="key" label="Key" hint="Letters, digits and _, such as seats. It never changes." />
      <ChoiceField of={form} path="type" label="Type" options={types} hint="It never changes." />
      <TextField of={form} path="name" label="Name" hint="What people read. It can be left empty." />
    </FormDialog>
  );
}

export function RenameAttribute({ attribute, ...closing }: Closing & { attribute: AttributeDefinition }) {
  const form = useForm({ name: attribute.name ?? "" }, ({ name }) =>
    api.attributes.define({ ...attribute, name: name || null }),
  );
  return (
    <FormDialog
      {...closing}
      form={form}
      title={`Rename “${attribute.name ?? attribute.key}”`}
      action="Save"
      fields={["name"]}
    >
      <TextField of={form} path="name" label="Name" hint="What people read. It can be left empty." />
    </FormDialog>
  );
}
