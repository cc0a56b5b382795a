import { Page } from "../../kit/page.tsx";

export function Checklists() {
  return <Page title="Checklists">…</Page>;
}
