/** The types of `<whodid-checklist>` in frameworks. They are of use to whoever has the package of one, and of no harm to others. */
import type { WhodidChecklist, WhodidCompletion } from "./checklist.ts";
import type { Token } from "./requests.ts";

/** The attributes of `<whodid-checklist>` beside those of every element and `text-…`. */
export interface ChecklistAttributes {
  src?: string | undefined;
  checklist?: string | undefined;
  token?: Token | undefined;
  collapsed?: boolean | undefined;
  "onwhodid-complete"?: ((event: CustomEvent<WhodidCompletion>) => void) | undefined;
  "onwhodid-dismiss"?: ((event: CustomEvent<Pick<WhodidCompletion, "checklistKey">>) => void) | undefined;
}

type With<Attributes> = ChecklistAttributes & Attributes;

/** @ts-ignore React may be absent. */
declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      /** @ts-ignore */
      "whodid-checklist": With<DetailedHTMLProps<HTMLAttributes<WhodidChecklist>, WhodidChecklist>>;
    }
  }
}

/** @ts-ignore Vue may be absent. The comment covers one line of the declarations. */
type VueAttributes = import("vue").HTMLAttributes;

/** @ts-ignore Vue may be absent. */
declare module "vue" {
  interface GlobalComponents {
    "whodid-checklist": new () => WhodidChecklist & { $props: With<VueAttributes> };
  }
}

/** @ts-ignore Svelte may be absent. */
declare module "svelte/elements" {
  interface SvelteHTMLElements {
    /** @ts-ignore */
    "whodid-checklist": With<import("svelte/elements").HTMLAttributes<WhodidChecklist>>;
  }
}
