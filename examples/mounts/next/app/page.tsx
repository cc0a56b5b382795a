// Next.js: the checklist of each user. `me/[[...path]]/route.ts` answers it.
export default function Page() {
  return (
    <main>
      <script type="module" async src="/me/whodid.js" />
      <whodid-checklist src="/me" checklist="onboarding" />
    </main>
  );
}
