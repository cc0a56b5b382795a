import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { Methods } from "../../../../lib/client/methods.ts";
import { Empty, Page, WhenLoaded } from "../kit/index.ts";
import { useLoaded } from "../loading.ts";
import { hrefOf, replaceLocation } from "../location.ts";
import { may } from "../session.ts";
import { guessedKey, kinds, newKeyOf, type EditedKind } from "./kinds.ts";

interface FoundProps<Definition> {
  kind: EditedKind;
  at: string;
  list: (methods: Methods) => Promise<readonly Definition[]>;
  children: (definition: Definition | null) => ComponentChildren;
}

/** The page of the definition with the key at the end of the address. Its content gets `null` for a new definition. */
export function Found<Definition extends { key: string }>({ kind, at, list, children }: FoundProps<Definition>) {
  const definitions = useLoaded(list, []);
  const found =
    at === newKeyOf(kind) && may(kinds[kind].needs.save) ? null : definitions.value?.find(({ key }) => key === at);
  const isGuess = at === guessedKey && definitions.value !== undefined && found === undefined;
  useLayoutEffect(() => {
    if (isGuess) replaceLocation(hrefOf([`${kind}s`, newKeyOf(kind)]));
  }, [isGuess, kind]);
  if (found !== undefined) return <>{children(found)}</>;
  return (
    <Page back={{ href: hrefOf([`${kind}s`]), title: `All ${kind}s` }} title={kind[0]!.toUpperCase() + kind.slice(1)}>
      <WhenLoaded of={definitions}>{() => <NoSuch kind={kind} />}</WhenLoaded>
    </Page>
  );
}

/** Shown in place of a definition that is not there. */
export function NoSuch({ kind }: { kind: string }) {
  return (
    <Empty title={`There is no such ${kind}.`}>
      <a href={hrefOf([`${kind}s`])}>Go to the {kind}s</a>
    </Empty>
  );
}
