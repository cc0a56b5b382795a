import { Found } from "../../definitions/found.tsx";
import type { PageLocation } from "../../location.ts";
import { AudienceEditor } from "./editor.tsx";
import { AudienceList } from "./list.tsx";

/** `#/audiences` lists, `#/audiences/<key>` shows one, `#/audiences/new-audience` makes one, with the rule in the address if it has one. */
export function Audiences({ path: [key], query: { contact = "", rule = "" } }: PageLocation) {
  if (key === undefined) return <AudienceList />;
  return (
    <Found key={key + rule} kind="audience" at={key} list={(methods) => methods.audiences.list()}>
      {(audience) => <AudienceEditor {...{ audience, contact, linked: rule }} />}
    </Found>
  );
}
