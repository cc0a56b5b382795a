import { issuesOf } from "../../api.ts";
import { Failure } from "../../kit/failure.tsx";
import { Empty, Table } from "../../kit/list.tsx";
import { Section } from "../../kit/page.tsx";
import { countOf, Time } from "../../kit/text.tsx";
import type { Loaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import type { Preview } from "../../rules/preview.ts";

/** How many contacts the rule matches, and the first of them. */
export function Members({
  preview: { value, error, isLoading, reload },
  rule,
  isAsked,
}: {
  preview: Loaded<Preview>;
  /** `null` while it changes. */
  rule: string | null;
  /** Whether there is a rule to ask about. */
  isAsked: boolean;
}) {
  const isUnfinished = !isAsked || issuesOf(error).length > 0;
  const isFailed = error !== undefined && !isLoading;
  const isCurrent = !isLoading && rule !== null && error === undefined;
  return (
    <Section
      title="Who matches now"
      actions={
        <span role="status">
          {isCurrent && value ? countOf(value.count, "contact") : isLoading && isAsked && "Counting…"}
        </span>
      }
    >
      {isUnfinished && <p class="hint">Finish the rule to see whom it matches.</p>}
      {!isUnfinished && isFailed && <Failure error={error} retry={reload} />}
      {!isUnfinished && !isFailed && value && (
        <div aria-busy={!isCurrent}>
          {value.count > 0 ? <MemberTable value={value} /> : <Empty title="The rule matches no contact." />}
        </div>
      )}
    </Section>
  );
}

function MemberTable({ value: { count, members } }: { value: Preview }) {
  const more = count - members.length;
  return (
    <>
      <Table label="Contacts that match" columns={["Contact", "External id", "Added"]} narrow={["Contact", "Added"]}>
        {members.map(({ id, name, email, externalId, createdAt }) => (
          <tr key={id}>
            <td>
              <a class="row-link clamped" href={hrefOf(["contacts", externalId])}>
                {name ?? email}
              </a>
              {name !== null && <div class="muted clamped">{email}</div>}
            </td>
            <td class="wide">{externalId === email ? <span class="muted">the email</span> : externalId}</td>
            <td>
              <Time at={createdAt} />
            </td>
          </tr>
        ))}
      </Table>
      {more > 0 && <p class="hint after-table">and {countOf(more)} more</p>}
    </>
  );
}
