import { countOf } from "../../kit/text.tsx";
import type { ChecklistDefinition, ChecklistItem, ItemCount } from "../../../../../lib/model/types.ts";

interface ItemBarsProps {
  checklist: ChecklistDefinition;
  counts: readonly ItemCount[];
  /** The number of all contacts. */
  contacts: number;
}

/** A bar per item: how many of all contacts have completed it. */
export function ItemBars({ checklist, counts, contacts: total }: ItemBarsProps) {
  const items = new Map(checklist.items.map((item) => [item.key, item]));
  return (
    <ol class="plain item-bars">
      {counts.map(({ itemKey, name, contacts }) => {
        // The two counts come from different moments, so the share can exceed 100 %.
        const percent = total === 0 ? 0 : Math.min(100, (contacts / total) * 100);
        return (
          <li key={itemKey}>
            <div class="item-title">
              <span>
                <b>{name}</b> <span class="muted">{whenWords(items.get(itemKey)?.when)}</span>
              </span>
              <span class="item-count">
                {countOf(contacts)} <span class="muted">({percentWords(percent)})</span>
              </span>
            </div>
            <div class="bar" aria-hidden="true">
              <div style={{ "--share": `${percent}%` }} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function percentWords(percent: number): string {
  if (percent > 0 && percent < 1) return "under 1 %";
  // Rounds 99.6 down to 99, because 100 % means everybody.
  return `${percent > 99 ? Math.floor(percent) : Math.round(percent)} %`;
}

function whenWords(when: ChecklistItem["when"]): string {
  if (!when) return "by hand";
  const rules = "any" in when ? when.any : [when];
  return `by ${rules.map((rule) => (rule.kind === "has_done" ? rule.eventKey : `more than ${rule.count} ${rule.eventKey}`)).join(" or ")}`;
}
