import { useId, useState } from "preact/hooks";
import { issuesOf } from "../../api.ts";
import { Failure, Section } from "../../kit/index.ts";
import { unanswered, useLoaded } from "../../loading.ts";
import { hrefOf, replaceLocation } from "../../location.ts";
import { Explanation } from "../../rules/explanation.tsx";
import { bareRule, useSettled } from "../../rules/preview.ts";
import { ruleWords } from "../../rules/words.ts";
import { newKeyOf } from "../../definitions/kinds.ts";

const suggestionsMax = 8;

interface WhyProps {
  audienceKey: string | null;
  rule: string | null;
  contact: string;
  /** The rule in the address. */
  linked: string;
}

/** Explains the edited rule for one contact. The address contains the contact's identifier. */
export function Why({ audienceKey, rule, contact, linked }: WhyProps) {
  const [typed, setTyped] = useState(contact);
  const query = useSettled(typed);
  const listId = useId();
  const found = useLoaded(
    async ({ contacts }) => (query === null ? unanswered() : contacts.list({ query, limit: suggestionsMax })),
    [query],
  );
  return (
    <Section title="Why not this contact?">
      <form
        class="filters"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          replaceLocation(hrefOf(["audiences", audienceKey ?? newKeyOf("audience")], { contact: typed, rule: linked }));
        }}
      >
        <input
          class="input"
          aria-label="External id of the contact"
          placeholder="External id; begin with a name or an email to find it"
          autocomplete="off"
          spellcheck={false}
          list={listId}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <datalist id={listId}>
          {found.value?.items.map(({ id, externalId, name, email }) => (
            <option key={id} value={externalId}>
              {name === null ? email : `${name} · ${email}`}
            </option>
          ))}
        </datalist>
        <button type="submit" class="button">
          Explain
        </button>
      </form>
      {contact !== "" && <Answer rule={rule} contact={contact} />}
    </Section>
  );
}

function Answer({ rule, contact }: Omit<WhyProps, "audienceKey" | "linked">) {
  const { value, error, isLoading, reload } = useLoaded(
    async ({ audiences }) => {
      if (rule === null) return unanswered();
      const parsed = bareRule(rule);
      return { of: contact, rule: parsed, explanation: await audiences.explain(parsed, contact) };
    },
    [rule, contact],
  );
  if (issuesOf(error).some(({ path }) => path.startsWith("rule"))) return <p class="hint">Finish the rule first.</p>;
  if (error !== undefined) return isLoading ? null : <Failure error={error} retry={reload} />;
  if (value?.of !== contact) return <p class="hint">Asking…</p>;
  const { match } = value.explanation;
  return (
    <div aria-busy={isLoading}>
      <p class="verdict" role="status">
        <span class={match ? "badge good" : "badge bad"}>{match ? "✓ Matches" : "✗ Does not match"}</span>{" "}
        <a href={hrefOf(["contacts", contact])}>{contact}</a>: {ruleWords(value.rule)}
      </p>
      <Explanation explanation={value.explanation} />
    </div>
  );
}
