import { api } from "../../api.ts";
import type { FormProps } from "../../definitions/definitions.tsx";
import { assertNewKey, useForm } from "../../form.ts";
import { ChoiceField, FormDialog, TextField } from "../../kit/index.ts";
import type { AttributeDefinition, AttributeType } from "../../../../../lib/model/types.ts";

export const valueTypes: Readonly<Record<AttributeType, string>> = {
  text: "Text",
  number: "Number",
  boolean: "Yes or no",
  date: "Date",
};

/** Defines an attribute, or changes its name. */
export function AttributeForm({ of: attribute, ...closing }: FormProps<AttributeDefinition>) {
  const { key = "", name, type = "text" } = attribute ?? {};
  const form = useForm({ key, name: name ?? "", type }, async (draft) => {
    if (!attribute) assertNewKey(draft.key, await api.attributes.list());
    await api.attributes.define({ ...draft, name: draft.name || null });
  });
  const title = attribute ? `Rename “${name ?? key}”` : "Create attribute";
  const fields = attribute ? ["name"] : Object.keys(form.draft);
  return (
    <FormDialog {...closing} {...{ form, title, fields }} action={attribute ? "Save" : "Create"}>
      {!attribute && (
        <>
          <TextField of={form} path="key" label="Key" hint="Letters, digits and _, such as seats. It never changes." />
          <ChoiceField of={form} path="type" label="Type" options={valueTypes} hint="It never changes." />
        </>
      )}
      <TextField of={form} path="name" label="Name" hint="What people read. It can be left empty." />
    </FormDialog>
  );
}
