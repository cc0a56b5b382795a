import { useState } from "preact/hooks";
import { api } from "../../api.ts";
import { useForm } from "../../form.ts";
import { ChoiceField, FormDialog, ShownOnce, TextField } from "../../kit/index.ts";
import { numberOf } from "../../numbers.ts";
import { session } from "../../session.ts";
import type { Access, ApiKey, NewApiKey } from "../../../../../lib/model/types.ts";

const accesses: Readonly<Record<Access, string>> = {
  read: "Read",
  write: "Write: contacts and events, and read",
  admin: "Admin: definitions and API keys too",
};

const days: Readonly<Record<string, number>> = { "30 days": 30, "90 days": 90, "1 year": 365 };
const never = "never";
const asYours = "yours";
const expiries = {
  ...Object.fromEntries(Object.keys(days).map((name) => [name, `In ${name}`])),
  date: "At a time of your choice",
};

/** The first draft. A key cannot create a key with a higher limit or a later expiry than its own. */
function initialFor(own: ApiKey | null) {
  return {
    name: "",
    access: "write" as Access,
    requestsPerMinute: String(own?.requestsPerMinute ?? ""),
    expiresAt: own?.expiresAt ? asYours : never,
    time: "",
  };
}

type Draft = ReturnType<typeof initialFor>;

interface CreateApiKeyProps {
  /** Called also after a failure: the key may exist although the answer was lost. */
  onSent: () => void;
  onClose: () => void;
}

export function CreateApiKey({ onSent, onClose }: CreateApiKeyProps) {
  const [key, setKey] = useState<string | null>(null);
  const own = session.get().own?.apiKey ?? null;
  const end = own?.expiresAt ?? null;
  const form = useForm(initialFor(own), async (draft) => {
    try {
      setKey((await api.apiKeys.create(inputOf(draft, end))).key);
    } finally {
      onSent();
    }
  });
  if (key !== null)
    return (
      <ShownOnce title="Copy the key now" text={key} onClose={onClose}>
        It is not shown again: only its hash is stored. Keep it where your program reads its secrets, as{" "}
        <code>API_KEY</code>.
      </ShownOnce>
    );
  return (
    <FormDialog
      title="Create API Key"
      action="Create"
      {...{ form, onClose }}
      fields={["name", "access", "requestsPerMinute", "expiresAt"]}
    >
      <TextField of={form} path="name" label="Name" hint="Which program uses it, such as backend." />
      <ChoiceField of={form} path="access" label="Access" options={accesses} />
      <TextField
        of={form}
        path="requestsPerMinute"
        label="Requests a minute"
        inputMode="numeric"
        hint={
          own?.requestsPerMinute
            ? `Your own key makes none with more than ${own.requestsPerMinute}.`
            : "Leave it empty for the server's own limit."
        }
      />
      <ChoiceField
        of={form}
        path="expiresAt"
        label="Expires"
        options={end === null ? { [never]: "Never", ...expiries } : { [asYours]: "With your own key", ...expiries }}
        hint={end !== null && "Your own key has an end, and makes none that ends later."}
      />
      {form.draft.expiresAt === "date" && (
        <TextField
          of={form}
          path="time"
          label="Expires at"
          type="datetime-local"
          hint="In the time of this computer."
        />
      )}
    </FormDialog>
  );
}

function inputOf({ name, access, requestsPerMinute, expiresAt, time }: Draft, end: string | null): NewApiKey {
  const dayCount = days[expiresAt];
  return {
    name,
    access,
    ...(requestsPerMinute.trim() !== "" && { requestsPerMinute: numberOf(requestsPerMinute) as number }),
    ...(dayCount !== undefined && { expiresAt: new Date(Date.now() + dayCount * 86_400_000) }),
    ...(expiresAt === asYours && end !== null && { expiresAt: end }),
    // An empty or incomplete time becomes an invalid `Date`. The client refuses it with an issue at this field.
    ...(expiresAt === "date" && { expiresAt: new Date(time) }),
  };
}
