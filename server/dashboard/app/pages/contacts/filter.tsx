import type { Methods } from "../../../../../lib/client/methods.ts";
import { TrackerError } from "../../../../../lib/model/errors.ts";
import type { Rule } from "../../../../../lib/model/types.ts";
import { Options, useTyped } from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";
import { valueOf } from "./changes.ts";

const names = ["plan", "role", "attribute", "value", "audience"] as const;

/** The parts of a filter as texts, by their names in the address. An empty part filters nothing. */
export type Filter = Readonly<Record<(typeof names)[number], string>>;

export function filterIn(query: Readonly<Record<string, string>>): Filter {
  return Object.fromEntries(names.map((name) => [name, query[name] ?? ""])) as Filter;
}

/** The rule of the contacts that match all parts of the filter; `null` if it filters nothing. */
export async function ruleOf({ attributes, audiences }: Methods, filter: Filter): Promise<Rule | null> {
  const { attribute: key, value, audience } = filter;
  const rules: Rule[] = (["plan", "role"] as const).flatMap((field) =>
    filter[field] === "" ? [] : { kind: "field", field, operator: "equals", value: filter[field] },
  );
  if (key !== "") {
    const type = (await attributes.list()).find((defined) => defined.key === key)?.type ?? "text";
    const typed = valueOf(value, type);
    rules.push(
      typed === null
        ? { kind: "attribute", key, operator: "is_set", value: true }
        : { kind: "attribute", key, operator: "equals", value: typed },
    );
  }
  if (audience !== "") {
    const found = (await audiences.list()).find((defined) => defined.key === audience);
    if (!found) throw new TrackerError("definition_not_found");
    rules.push(found.rule);
  }
  return rules.length > 0 ? { all: rules } : null;
}

/** Chooses the plan, the role, an attribute and an audience of the contacts that are shown. */
export function FilterForm({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const lists = useLoaded(
    async ({ attributes, audiences }) => ({ attributes: await attributes.list(), audiences: await audiences.list() }),
    [],
  );
  const bound = (name: keyof Filter) => ({
    value: filter[name],
    onChange: (value: string) => onChange({ ...filter, [name]: value, ...(name === "attribute" && { value: "" }) }),
  });
  const { attributes = [], audiences = [] } = lists.value ?? {};
  return (
    <form class="filters parts" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
      <Typed label="Plan" {...bound("plan")} />
      <Typed label="Role" {...bound("role")} />
      <Chosen label="Audience" of={audiences} {...bound("audience")} />
      <Chosen label="Attribute" of={attributes} {...bound("attribute")} />
      {filter.attribute !== "" && <Typed label="Value" {...bound("value")} />}
    </form>
  );
}

interface PartProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function Typed({ label, value, onChange }: PartProps) {
  const { text, type } = useTyped(value, onChange);
  return (
    <input
      class="input"
      aria-label={label}
      placeholder={`Any ${label.toLowerCase()}`}
      value={text}
      onInput={(event) => type(event.currentTarget.value)}
    />
  );
}

interface Named {
  key: string;
  name?: string | null | undefined;
}

function Chosen({ label, value, onChange, of }: PartProps & { of: readonly Named[] }) {
  return (
    <select class="input" aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <Options of={[["", `Any ${label.toLowerCase()}`], ...of.map(({ key, name }) => [key, name ?? key] as const)]} />
    </select>
  );
}
