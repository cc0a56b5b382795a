// System colours follow the page's `color-scheme`. A text may have another direction than the page. There is no motion to reduce.
// A text on the accent has the colour of the background: whoever sets an accent that links can be read in can read that, too.
const css = `
:host { display: block; font: inherit; color: CanvasText; --background: var(--whodid-background, Canvas);
  --color: var(--whodid-color, CanvasText); --accent: var(--whodid-accent, LinkText);
  --quiet: color-mix(in srgb, var(--color) 70%, var(--background)); --radius: var(--whodid-radius, .75rem);
  --border: var(--whodid-border, color-mix(in srgb, CanvasText 20%, Canvas)); }
@supports (color: light-dark(red, red)) { :host { --accent: var(--whodid-accent, light-dark(#3b5bdb, #a5b4fc)); } }
* { box-sizing: border-box; overflow-wrap: anywhere; }
p, h2, ul { margin: 0; padding: 0; }
p, h2, span, a { unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent; }
section, .dismissed, .collapsed { background: var(--background); color: var(--color); border: 1px solid var(--border);
  border-radius: var(--radius); box-shadow: 0 1px 3px rgb(0 0 0 / .08); }
section, .dismissed { padding: var(--whodid-padding, 1.25rem); }
header, header div, li, li > div, .dismissed { display: flex; flex-wrap: wrap; gap: .5rem; align-items: baseline; }
header div { gap: 0; margin-inline: -.625rem; }
li { flex-wrap: nowrap; gap: .75rem; padding: .625rem .75rem; border-radius: calc(var(--radius) / 1.5); }
li > div { flex: 1; }
h2 { flex: 1 1 8rem; font-size: 1.125em; }
progress { display: block; inline-size: 100%; block-size: .5rem; margin-block: 1rem .5rem; appearance: none; border: 0;
  border-radius: 1rem; overflow: hidden; background: var(--border); }
::-webkit-progress-bar { background: var(--border); }
::-webkit-progress-value { background: var(--accent); }
::-moz-progress-bar { background: var(--accent); }
ul { list-style: none; margin: 1rem -.75rem -.5rem; }
.next { background: color-mix(in srgb, var(--accent) 8%, var(--background)); }
.text { flex: 1 1 10rem; min-width: 0; }
.description, .progress, .item-description, .done .text, header button { color: var(--quiet); }
.progress, .item-description, .error { font-size: .875em; }
.next .item-name, .next-label, .finished, .left, .error { font-weight: bold; }
.next-label, .left, .next a { color: var(--accent); }
.item-description { margin-block-start: .125rem; }
.mark { flex: none; inline-size: 1.375em; block-size: 1.375em; border: 2px solid var(--quiet); border-radius: 50%;
  font-size: .875em; line-height: 1.2; text-align: center; }
.mark::before { content: "\\200b"; }
.done .mark { border-color: var(--accent); background: var(--accent); color: var(--background); }
a { color: inherit; text-underline-offset: .2em; }
.done a { text-decoration: none; }
button { font: inherit; font-size: .875em; color: inherit; background: none; cursor: pointer; text-align: start;
  min-block-size: 2rem; padding: .25rem .625rem; border: 1px solid transparent; border-radius: calc(var(--radius) / 1.5); }
.complete, .undo { border-color: var(--quiet); }
.next .complete { border-color: var(--accent); background: var(--accent); color: var(--background); }
button:not(.complete):hover, .done a:hover { text-decoration: underline; }
.complete:hover { box-shadow: 0 0 0 1px var(--accent); }
button[aria-disabled] { opacity: .6; cursor: progress; }
.collapsed { display: inline-flex; gap: .5rem; align-items: center; padding: .5rem .875rem; }
.collapsed::after { content: ""; flex: none; inline-size: .5em; block-size: .5em; margin: 0 .25em .25em; border: solid;
  border-width: 0 2px 2px 0; transform: rotate(45deg); }
.error { flex-basis: 100%; color: var(--color); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
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
