import { api } from "../../api.ts";
import { Failure } from "../../kit/failure.tsx";
import { useAction } from "../../loading.ts";
import type { Contact } from "../../../../../lib/model/types.ts";

/** Downloads everything that is kept about a contact. */
export function ExportButton({ contact }: { contact: Contact }) {
  const { run, isRunning, error } = useAction(async () => {
    const exported = await api.contacts.export(contact.externalId);
    save(`contact-${contact.id}.json`, JSON.stringify(exported, null, 2));
  });
  return (
    <>
      <button type="button" class="button" disabled={isRunning} onClick={() => void run()}>
        {isRunning ? "Exporting…" : "Export"}
      </button>
      <Failure error={error} />
    </>
  );
}

function save(name: string, json: string): void {
  const url = URL.createObjectURL(new Blob([json], { type: "application/json" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // The browser begins to read the file only after this function has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
