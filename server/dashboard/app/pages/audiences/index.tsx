import { Found } from "../../definitions/found.tsx";
import type { PageLocation } from "../../location.ts";
import { AudienceEditor } from "./editor.tsx";
import { AudienceList } from "./list.tsx";

/** `#/audiences` lists, `#/audiences/<key>` shows one, `#/audiences/new-audience` makes one. */
export function Audiences({ path: [key], query: { contact = "" } }: PageLocation) {
  if (key === undefined) return <AudienceList />;
  return (
    <Found key={key} kind="audience" at={key} list={(methods) => methods.audiences.list()}>
      {(audience) => <AudienceEditor {...{ audience, contact }} />}
    </Found>
  );
}
