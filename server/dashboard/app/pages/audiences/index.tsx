import { Empty, WhenLoaded } from "../../kit/list.tsx";
import { Page } from "../../kit/page.tsx";
import { useLoaded } from "../../loading.ts";
import { hrefOf } from "../../location.ts";
import type { PageLocation } from "../../location.ts";
import { newKeys } from "../../unsaved.ts";
import { Editor } from "./editor.tsx";
import { AudienceList } from "./list.tsx";

/** `#/audiences` lists, `#/audiences/<key>` shows one, `#/audiences/new-audience` makes one. */
export function Audiences({ path: [key], query: { contact = "" } }: PageLocation) {
  if (key === undefined) return <AudienceList />;
  if (key === newKeys.audience) return <Editor key={key} audience={null} contact={contact} />;
  return <Audience key={key} of={key} contact={contact} />;
}

function Audience({ of: key, contact }: { of: string; contact: string }) {
  const audiences = useLoaded((methods) => methods.audiences.list(), []);
  const audience = audiences.value?.find((candidate) => candidate.key === key);
  if (audience) return <Editor audience={audience} contact={contact} />;
  return (
    <Page title="Audience">
      <WhenLoaded of={audiences}>
        {() => (
          <Empty title="There is no audience with this key.">
            <a href={hrefOf(["audiences"])}>Go to the audiences</a>
          </Empty>
        )}
      </WhenLoaded>
    </Page>
  );
}
