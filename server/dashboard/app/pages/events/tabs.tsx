import { Tabs } from "../../kit/index.ts";
import { hrefOf } from "../../location.ts";

export function EventTabs({ current }: { current: "newest" | "types" }) {
  const tabs = [
    { title: "Newest", href: hrefOf(["events"]), isCurrent: current === "newest" },
    { title: "Event types", href: hrefOf(["events", "types"]), isCurrent: current === "types" },
  ];
  return <Tabs label="Parts of the events" tabs={tabs} />;
}
