import { Page } from "../../kit/page.tsx";

export function Attributes() {
  return <Page title="Attributes">…</Page>;
}
