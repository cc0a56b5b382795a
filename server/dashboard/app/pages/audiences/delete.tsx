import { useState } from "preact/hooks";
import type { AudienceDefinition } from "../../../../../lib/model/types.ts";
import { api } from "../../api.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { Failure } from "../../kit/failure.tsx";
import { useAction } from "../../loading.ts";
import { goTo, hrefOf, useIsThere } from "../../location.ts";
import { forgetUnsaved } from "../../unsaved.ts";

/** Asks, deletes the audience, and goes to the list of audiences. */
export function Delete({ audience: { key, name } }: { audience: AudienceDefinition }) {
  const [isAsking, setIsAsking] = useState(false);
  const isThere = useIsThere();
  const { run, isRunning, error } = useAction(async () => {
    await api.audiences.delete(key);
    forgetUnsaved("audience", key);
    if (isThere()) goTo(hrefOf(["audiences"]));
  });
  return (
    <>
      <button type="button" class="button danger" onClick={() => setIsAsking(true)}>
        Delete
      </button>
      {isAsking && (
        <Confirm
          title={`Delete “${name}”?`}
          action="Delete audience"
          isRunning={isRunning}
          onConfirm={() => void run()}
          onClose={() => setIsAsking(false)}
        >
          <p>Whoever asks for the audience “{key}” gets an error from then on. The contacts stay as they are.</p>
          <Failure error={error} />
        </Confirm>
      )}
    </>
  );
}
