import { Page } from "../../kit/page.tsx";

export function ApiKeys() {
  return <Page title="API keys">…</Page>;
}
