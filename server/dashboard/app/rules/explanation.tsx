import type { ComponentChildren } from "preact";
import type { Explanation as Explained } from "../../../../lib/model/types.ts";
import { countOf, Time } from "../kit/index.ts";
import { countedSpanOf } from "../../../../lib/model/rules.ts";
import { isAboutTime, ruleWords } from "./words.ts";

type Reason = Explained["because"][number];

/** Every simple rule that decided, whether it is true of the contact, and what was observed. */
export function Explanation({ explanation }: { explanation: Explained }) {
  return (
    <ul class="plain">
      {explanation.because.map((reason, index) => (
        <li key={index} class="reason">
          <span class={reason.match ? "reason-sign good" : "reason-sign bad"}>
            <span aria-hidden="true">{reason.match ? "✓" : "✗"}</span> {reason.match ? "Yes" : "No"}
          </span>
          <span>
            {ruleWords(reason.rule)} <span class="muted">· {observedWords(reason)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function observedWords({ rule, observed }: Reason): ComponentChildren {
  if (observed === null) {
    if ("eventKey" in rule) return countedSpanOf(rule, 0) ? "no such event" : "never";
    return rule.kind === "checklist_completed" ? "there is no such checklist" : "not set";
  }
  if ("count" in observed && observed.count === 1)
    return (
      <>
        once, <Time at={observed.lastAt} />
      </>
    );
  if ("count" in observed)
    return (
      <>
        {countOf(observed.count, "time")}, first <Time at={observed.firstAt} />, latest <Time at={observed.lastAt} />
      </>
    );
  if ("total" in observed) return `${observed.completed} of ${observed.total} completed`;
  if (isAboutTime(rule)) return <Time at={String(observed.value)} />;
  return observed.value === "" ? "an empty text" : `it is ${String(observed.value)}`;
}
