// System colours follow the page's `color-scheme`. A text may have another direction than the page. There is no motion to reduce.
const css = `
:host { display: block; font: inherit; color: CanvasText; }
* { box-sizing: border-box; overflow-wrap: anywhere; }
p, h2, ul { margin: 0; padding: 0; }
p, h2, span, a { unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent; }
section, .dismissed { padding: var(--whodid-padding, 1rem); background: var(--whodid-background, Canvas);
  color: var(--whodid-color, CanvasText); border: 1px solid var(--whodid-border, color-mix(in srgb, CanvasText 25%, Canvas));
  border-radius: var(--whodid-radius, .5rem); }
header, header div, li, li > div { display: flex; flex-wrap: wrap; gap: .5rem; align-items: baseline; }
header { margin-block-end: .25rem; }
li { flex-wrap: nowrap; }
li > div { flex: 1; }
h2 { flex: 1 1 8rem; font-size: 1.125em; }
progress { display: block; width: 100%; margin-block: .75rem .25rem; accent-color: var(--whodid-accent, LinkText); }
ul { list-style: none; }
li { padding-block: .5rem; }
li + li { border-block-start: 1px solid var(--whodid-border, color-mix(in srgb, CanvasText 25%, Canvas)); }
.text { flex: 1 1 10rem; min-width: 0; }
.item-description { font-size: .875em; }
.next .item-name, .next-label, .finished { font-weight: bold; }
.mark { flex: none; inline-size: 1.25em; text-align: center; }
a { color: var(--whodid-accent, LinkText); }
button { font: inherit; font-size: .875em; color: inherit; background: none; cursor: pointer; text-align: start;
  min-block-size: 2rem; padding: .25rem .625rem; border: 1px solid; border-radius: var(--whodid-radius, .5rem); }
button[aria-disabled] { opacity: .6; cursor: progress; }
.collapsed { background: var(--whodid-background, Canvas); color: var(--whodid-color, CanvasText); }
.left, .error { font-weight: bold; }
.error { position: sticky; inset-block-end: 0; padding-block: .5rem; background: var(--whodid-background, Canvas); }
:focus-visible { outline: 2px solid var(--whodid-accent, LinkText); outline-offset: 2px; }
li:focus { outline-offset: -2px; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
`;

let made: CSSStyleSheet | undefined;

/** The style sheet of all elements of the page. A Content-Security-Policy without inline styles allows it. */
export function sheet(): CSSStyleSheet {
  if (!made) {
    made = new CSSStyleSheet();
    made.replaceSync(css);
  }
  return made;
}
