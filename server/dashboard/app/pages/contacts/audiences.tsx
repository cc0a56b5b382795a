import { useState } from "preact/hooks";
import { Empty, WhenLoaded } from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import { Explanation } from "../../rules/explanation.tsx";
import { ruleWords } from "../../rules/words.ts";
import type { AudienceDefinition, Contact } from "../../../../../lib/model/types.ts";

/** Up to this number of audiences, all explanations load at once. Above it, each loads when the user opens it. */
const explainedAtOnceMax = 8;

/** In which audiences a contact is, and why. */
export function ContactAudiences({ contact: { externalId, updatedAt } }: { contact: Contact }) {
  const loaded = useLoaded(
    async (methods) => {
      const [audiences, keys] = await Promise.all([methods.audiences.list(), methods.contacts.audiences(externalId)]);
      return { audiences, keys: new Set(keys) };
    },
    [externalId, updatedAt],
  );
  return (
    <WhenLoaded of={loaded}>
      {({ audiences, keys }) =>
        audiences.length > 0 ? (
          audiences.map((audience) => (
            <Audience
              key={audience.key}
              {...{ audience, externalId, updatedAt }}
              isMember={keys.has(audience.key)}
              isOpen={audiences.length <= explainedAtOnceMax}
            />
          ))
        ) : (
          <Empty title="There are no audiences yet.">
            <p>
              <a href={hrefOf(["audiences"])}>Create an audience</a> to see who is in it, and why.
            </p>
          </Empty>
        )
      }
    </WhenLoaded>
  );
}

interface AudienceProps {
  audience: AudienceDefinition;
  externalId: string;
  updatedAt: string;
  isMember: boolean;
  isOpen: boolean;
}

function Audience({ audience: { key, name, rule }, isMember, isOpen, ...contact }: AudienceProps) {
  const [isShown, setShown] = useState(isOpen);
  return (
    <details class="card" open={isShown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary class="line apart">
        <h2 class="clamped">{name}</h2>
        <span class={isMember ? "badge good" : "badge"}>{isMember ? "In it" : "Not in it"}</span>
      </summary>
      <p class="muted">{ruleWords(rule)}</p>
      {isShown && <Reasons audienceKey={key} {...contact} />}
      <a class="card-link" href={hrefOf(["audiences", key])}>
        Open the audience
      </a>
    </details>
  );
}

interface ReasonsProps extends Pick<AudienceProps, "externalId" | "updatedAt"> {
  audienceKey: string;
}

function Reasons({ audienceKey, externalId, updatedAt }: ReasonsProps) {
  const explanation = useLoaded(
    (methods) => methods.audiences.explain(audienceKey, externalId),
    [audienceKey, externalId, updatedAt],
  );
  return <WhenLoaded of={explanation}>{(value) => <Explanation explanation={value} />}</WhenLoaded>;
}
