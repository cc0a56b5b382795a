import { Page } from "../../kit/page.tsx";

export function Audiences() {
  return <Page title="Audiences">…</Page>;
}
