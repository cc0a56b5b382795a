import { useId, useRef } from "preact/hooks";
import type { Issue } from "../../../../lib/model/errors.ts";
import { SmallButton, Suggestions } from "../kit/index.ts";
import { emptyRow, pathOf, replaced, withPart, type Draft, type Part } from "./draft.ts";
import { GroupEditor, JoinPick, Messages } from "./group.tsx";
import { RowEditor } from "./row.tsx";
import type { Catalogue } from "./subjects.ts";

interface BuilderProps {
  draft: Draft;
  catalogue: Catalogue;
  issues: readonly Issue[];
  onChange: (draft: Draft) => void;
}

/** Rows and groups that make a rule. */
export function Builder({ draft, catalogue, issues, onChange }: BuilderProps) {
  const eventKeysId = useId();
  const workshop = { catalogue, issues, eventKeysId };
  const { join, parts } = draft;
  // If the rule is a single row without negation, the row itself shows the issues with the path `rule`.
  const isWhole = join === null && !parts[0]?.isNegated && !("rows" in parts[0]!);
  const own = issues.filter(({ path }) => path === `rule.${join}` || (path === "rule" && !isWhole));
  const container = useRef<HTMLDivElement>(null);
  const change = (index: number, part: Part): void => onChange({ ...draft, parts: replaced(parts, index, part) });
  const remove = (index: number): void => {
    onChange({ ...draft, parts: replaced(parts, index, null) });
    // The button that had the focus is gone.
    container.current?.focus();
  };
  return (
    <div class="builder" ref={container} tabIndex={-1}>
      {join && (
        <JoinPick
          label="Contacts must match"
          value={join}
          onChange={(chosen) => onChange({ ...draft, join: chosen })}
        />
      )}
      {parts.map((part, index) => {
        const shared = {
          name: String(index + 1),
          path: pathOf(part, "rule", join, index),
          workshop,
          onRemove: parts.length > 1 ? () => remove(index) : null,
        };
        return "rows" in part ? (
          <GroupEditor key={index} {...shared} of={part} onChange={(changed) => change(index, changed)} />
        ) : (
          <RowEditor key={index} {...shared} of={part} onChange={(changed) => change(index, changed)} />
        );
      })}
      <Messages of={own} />
      <Additions {...{ draft, onChange }} />
      <Suggestions id={eventKeysId} of={catalogue.eventKeys} />
    </div>
  );
}

function Additions({ draft, onChange }: Pick<BuilderProps, "draft" | "onChange">) {
  const join = draft.join === "any" ? "all" : "any";
  return (
    <div class="line">
      <SmallButton action="Add a rule" onClick={() => onChange(withPart(draft, emptyRow))} />
      <SmallButton
        action="Add a group"
        onClick={() => onChange(withPart(draft, { isNegated: false, join, rows: [emptyRow] }))}
      />
    </div>
  );
}
