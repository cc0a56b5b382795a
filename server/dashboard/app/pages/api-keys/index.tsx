import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { useDeed } from "../../deed.ts";
import {
  Button,
  Code,
  countOf,
  Empty,
  ExactTime,
  firstContact,
  Page,
  Removal,
  SmallButton,
  Table,
  Time,
  WhenLoaded,
} from "../../kit/index.ts";
import { useLoaded } from "../../loading.ts";
import type { ApiKey } from "../../../../../lib/model/types.ts";
import { CreateApiKey } from "./create.tsx";

/** The keys by which programs use the API. */
export function ApiKeys() {
  const keys = useLoaded((methods) => methods.apiKeys.list(), []);
  const [isCreating, setCreating] = useState(false);
  const { deed: revoked, begin, closing } = useDeed<ApiKey>(keys.reload);
  return (
    <Page
      title="API Keys"
      actions={<Button action="Create API Key" look="primary" needs="createApiKey" onClick={() => setCreating(true)} />}
    >
      <WhenLoaded of={keys}>
        {(items) => (items.length > 0 ? <List items={items} onRevoke={begin} /> : <NoApiKeys />)}
      </WhenLoaded>
      {isCreating && <CreateApiKey onSent={keys.reload} onClose={() => setCreating(false)} />}
      {revoked && (
        <Removal
          {...closing}
          title={`Revoke “${revoked.name}”?`}
          action="Revoke the key"
          remove={() => api.apiKeys.revoke(revoked.id)}
        >
          <p>
            Programs that use <code>{revoked.prefix}…</code> are refused from now on. This cannot be undone.
          </p>
        </Removal>
      )}
    </Page>
  );
}

function List({ items, onRevoke }: { items: readonly ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  return (
    <Table
      label="API keys"
      rows={items}
      keyOf={({ id }) => id}
      columns={{
        Name: ({ name }) => <span class="row-title clamped">{name}</span>,
        "Begins with": ({ prefix }) => <code>{prefix}…</code>,
        Access: ({ access }) => access,
        Limit: limitOf,
        Expires: ({ expiresAt }) => <Expiry at={expiresAt} />,
        "Last used": ({ lastUsedAt }) => <Time at={lastUsedAt} />,
        Created: ({ createdAt }) => <Time at={createdAt} />,
      }}
      actions={(key) => <SmallButton action="Revoke" of={key.name} onClick={() => onRevoke(key)} />}
      wide={["Begins with", "Access", "Limit", "Expires", "Created"]}
    />
  );
}

function limitOf({ requestsPerMinute }: ApiKey): string {
  return requestsPerMinute === null ? "the server's" : `${countOf(requestsPerMinute)} a minute`;
}

function Expiry({ at }: { at: string | null }) {
  if (at === null) return <Time at={at} />;
  if (Date.parse(at) > Date.now()) return <ExactTime at={at} />;
  return (
    <>
      <span class="badge bad">ended</span> <ExactTime at={at} />
    </>
  );
}

function NoApiKeys() {
  return (
    <Empty title="There are no API keys yet.">
      <p>Your backend needs one to write contacts and record events. Create one, then try it with this:</p>
      <Code text={firstContact} />
    </Empty>
  );
}
