/** The texts of the element in English. An attribute such as `text-next` replaces one; `{left}` stands for a number. */
const texts = {
  progress: "{done} of {total} done",
  next: "Next:",
  complete: "Mark as done",
  done: "Done",
  open: "Not done",
  left: "{left} left",
  collapse: "Collapse",
  dismiss: "Dismiss",
  dismissed: "Dismissed.",
  undo: "Undo",
  finished: "All done. Well done!",
  error: "That did not work. Please try again.",
};

export type TextName = keyof typeof texts;

/** The attributes that replace texts. */
export const textNames: string[] = Object.keys(texts).map((name) => `text-${name}`);

export function textOf(element: Element, name: TextName, values: Record<string, number> = {}): string {
  const text = element.getAttribute(`text-${name}`) ?? texts[name];
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}
