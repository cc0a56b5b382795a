import { api } from "../../api.ts";
import type { FormProps } from "../../definitions/definitions.tsx";
import { assertNewKey, useForm, type Form } from "../../form.ts";
import { ChoiceField, FormDialog, SmallButton, TextField } from "../../kit/index.ts";
import type { EventTypeDefinition } from "../../../../../lib/model/types.ts";
import { definitionOf, draftOf, newProperty, pathOf, type PropertyDraft, type TypeDraft } from "./type-draft.ts";
import { PropertyRow } from "./property-row.tsx";

/** An event key of the workspace; `type` is `null` if it is not defined. */
export interface EventKey {
  key: string;
  name: string | null | undefined;
  type: EventTypeDefinition | null;
}

/** Defines an event type, or changes its name and properties. */
export function EventTypeForm({ of, ...closing }: FormProps<EventKey>) {
  const { key: eventKey, type } = of ?? { key: null, type: null };
  const form = useForm(draftOf(eventKey, type), async (draft) => {
    if (eventKey === null) assertNewKey(draft.key, await api.eventTypes.list());
    await api.eventTypes.define(definitionOf(draft));
  });
  const { draft } = form;
  const title = eventKey === null ? "Define event type" : `${type ? "Edit" : "Define"} “${type?.name ?? eventKey}”`;
  const fields = ["name", ...(eventKey === null ? ["key"] : []), ...draft.properties.map(pathOf)];
  return (
    <FormDialog {...closing} {...{ form, title, fields }} action={type ? "Save" : "Define"}>
      {eventKey === null && <TextField of={form} path="key" label="Key" hint="What your backend sends as eventKey." />}
      <TextField of={form} path="name" label="Name" hint="What people read. It can be left empty." />
      <ChoiceField of={form} path="held" label="Properties" options={{ any: "Any", listed: "Only these" }} />
      {draft.held === "listed" && <Properties form={form} />}
    </FormDialog>
  );
}

function Properties({ form }: { form: Form<TypeDraft> }) {
  const { properties } = form.draft;
  const change = (id: number, parts: Partial<PropertyDraft>): void =>
    form.change({ properties: properties.map((each) => (each.id === id ? { ...each, ...parts } : each)) });
  const remove = (id: number): void => form.change({ properties: properties.filter((each) => each.id !== id) });
  return (
    <div class="stack rows">
      {properties.length === 0 && <p class="hint">No properties: events that have any are refused.</p>}
      {properties.map((property) => (
        <PropertyRow
          key={property.id}
          property={property}
          error={form.error}
          onChange={(parts) => change(property.id, parts)}
          onRemove={() => remove(property.id)}
        />
      ))}
      <SmallButton
        action="Add a property"
        onClick={() => form.change({ properties: [...properties, newProperty()] })}
      />
    </div>
  );
}
