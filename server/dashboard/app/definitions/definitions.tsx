import type { ComponentChildren, ComponentType, VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { useDeed, type Closing } from "../deed.ts";
import { Button, Code, curlOf, Empty, Page, Removal, SmallButton, WhenLoaded } from "../kit/index.ts";
import type { Loaded } from "../loading.ts";
import { hrefOf, replaceLocation } from "../location.ts";
import { may } from "../session.ts";
import { guessedKey, kinds, newKeyOf, type KindName } from "./kinds.ts";
import { forgetUnsaved } from "./unsaved.ts";

interface Named {
  key: string;
  name?: string | null | undefined;
}

/** The properties of the dialog that changes a definition, or makes one if `of` is `null`. */
export interface FormProps<Definition> extends Closing {
  of: Definition | null;
}

type Deed<Definition> = { name: "define"; of: Definition | null } | { name: "delete"; of: Definition };

interface DefinitionsProps<Item, Definition> {
  kind: KindName;
  of: Loaded<readonly Item[]>;
  /** Called after a definition was saved or deleted. */
  onChange?: () => void;
  /** Without `Form`, each definition has a page of its own. */
  Form?: ComponentType<FormProps<Definition>>;
  /** If given, only the definition with this key is shown. */
  at?: string | undefined;
  above?: ComponentChildren;
  /** The list. `actionsOf` returns the buttons of a definition, or of a key that can be defined. */
  children: (
    items: readonly Item[],
    actionsOf: (definition: Definition, isDefined?: boolean) => VNode,
  ) => ComponentChildren;
}

/** The page of a kind of definitions, with its dialogs. Shows the list, or if it is empty says what the kind is for. */
export function Definitions<Item extends Named, Definition extends Named>(props: DefinitionsProps<Item, Definition>) {
  const { kind, of, onChange = of.reload, Form, at, above, children } = props;
  const { title, needs, verbs: { create = "Create", edit = "Edit" } = {} } = kinds[kind];
  const { deed, begin, closing } = useDeed<Deed<Definition>>(onChange);
  const isGuess = may(needs.save) && at === guessedKey && of.value?.some(({ key }) => key === at) === false;
  useLayoutEffect(() => {
    if (!isGuess) return;
    replaceLocation(hrefOf([`${kind}s`]));
    begin({ name: "define", of: null });
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isGuess]);
  const actionsOf = (definition: Definition, isDefined = true): VNode => (
    <>
      <SmallButton
        action={isDefined ? edit : create}
        of={definition.key}
        needs={needs.save}
        onClick={() => begin({ name: "define", of: definition })}
      />
      {isDefined && (
        <SmallButton
          action="Delete"
          of={definition.key}
          needs={needs.delete}
          onClick={() => begin({ name: "delete", of: definition })}
        />
      )}
    </>
  );
  return (
    <Page
      back={at === undefined ? undefined : { href: hrefOf([`${kind}s`]), title: `All ${kind}s` }}
      title={at ?? title}
      actions={at === undefined && <Create kind={kind} onClick={Form && (() => begin({ name: "define", of: null }))} />}
    >
      {above}
      <WhenLoaded of={of}>
        {(items) => (items.length > 0 ? children(items, actionsOf) : <NoDefinitions kind={kind} />)}
      </WhenLoaded>
      {Form && deed?.name === "define" && <Form of={deed.of} {...closing} />}
      {deed?.name === "delete" && <DeleteDefinition kind={kind} of={deed.of} {...closing} />}
    </Page>
  );
}

/** The button that makes a definition; without `onClick` a link to the page that makes it. */
function Create({ kind, onClick }: { kind: KindName; onClick: (() => void) | undefined }) {
  const { needs, verbs: { create = "Create" } = {} } = kinds[kind];
  if (!may(needs.save)) return null;
  const words = `${create} ${kind}`;
  return onClick ? (
    <Button action={words} look="primary" onClick={onClick} />
  ) : (
    <a class="button primary" href={hrefOf([`${kind}s`, newKeyOf(kind)])}>
      {words}
    </a>
  );
}

/** Asks whether to delete a definition, and deletes it with its draft. */
export function DeleteDefinition({ kind, of: { key, name }, ...closing }: Closing & { kind: KindName; of: Named }) {
  const remove = async (): Promise<void> => {
    await kinds[kind].delete(key);
    forgetUnsaved(kind, key);
  };
  return (
    <Removal {...closing} title={`Delete “${name ?? key}”?`} action={`Delete the ${kind}`} remove={remove}>
      <p>{kinds[kind].deletion}</p>
    </Removal>
  );
}

function NoDefinitions({ kind }: { kind: KindName }) {
  const { none = `There are no ${kind}s yet.`, about, first } = kinds[kind];
  return (
    <Empty title={none}>
      <p>{about}</p>
      <Code text={curlOf("PUT", ...first)} />
    </Empty>
  );
}
