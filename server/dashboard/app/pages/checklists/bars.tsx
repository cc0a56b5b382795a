import { countOf, RuleLink } from "../../kit/index.ts";
import { stuckRule } from "../../../../../lib/model/checklist-rules.ts";
import type { ChecklistDefinition, ChecklistItem, ItemCount, Period } from "../../../../../lib/model/types.ts";

interface ItemBarsProps {
  checklist: ChecklistDefinition;
  counts: readonly ItemCount[];
  /** The number of contacts that the bars are about. */
  contacts: number;
  /** When they began, if the bars are not about all. */
  period: Period | undefined;
}

/** A bar per item: how many of the contacts have completed it. Links to those who completed all before it, and not this one. */
export function ItemBars({ checklist, counts, contacts: total, period }: ItemBarsProps) {
  const items = new Map(checklist.items.map((item) => [item.key, item]));
  return (
    <ol class="plain stack item-bars">
      {counts.map(({ itemKey, name, contacts }) => {
        const stuck = stuckRule(checklist.items, itemKey, period);
        // The two counts come from different moments, so the share can exceed 100 %.
        const percent = total === 0 ? 0 : Math.min(100, (contacts / total) * 100);
        return (
          <li key={itemKey}>
            <div class="apart item-title">
              <span>
                <b>{name}</b> <span class="muted">{whenWords(items.get(itemKey)?.when)}</span>
              </span>
              <span class="item-count">
                {countOf(contacts)} <span class="muted">({percentWords(percent)})</span>
                {stuck && (
                  <RuleLink rule={stuck} label={`Who is stuck here: ${name}`}>
                    who is stuck here
                  </RuleLink>
                )}
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
