import { api } from "../../api.ts";
import { Button, download, Failure } from "../../kit/index.ts";
import { useAction } from "../../loading.ts";
import type { Contact } from "../../../../../lib/model/types.ts";

/** Downloads everything that is kept about a contact. */
export function ExportButton({ contact }: { contact: Contact }) {
  const { run, isRunning, error } = useAction(async () => {
    const exported = await api.contacts.export(contact.externalId);
    download(`contact-${contact.id}.json`, "application/json", [JSON.stringify(exported, null, 2)]);
  });
  return (
    <>
      <Button action={isRunning ? "Exporting…" : "Export"} isDisabled={isRunning} onClick={() => void run()} />
      <Failure error={error} />
    </>
  );
}
