/** Reads what the sources declare, with the docstrings. Prettier has formatted the sources, so lines and indentation tell the parts. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessages } from "../../lib/model/errors.ts";

const root = join(import.meta.dirname, "../../..");

/** The sources of the product as one text. */
export const sources: string = ["lib", "adapters", "server"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  )
  .filter((path) => path.endsWith(".ts"))
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\n");

export interface Member {
  name: string;
  /** The declaration in one line, without inner comments. */
  code: string;
  doc: Doc;
}

export interface Doc {
  sentences: string[];
  items: string[];
  example: string | null;
  /** The error codes that it names. */
  errors: string[];
}

const docstring = /(?:^ *\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?/.source;

/** The docstring and the members of an interface or, with `group`, the members of an object in it. */
export function declared(name: string, group?: string): { doc: Doc; members: Member[] } {
  const whole = new RegExp(`${docstring}^(?:export )?interface ${name}\\b[^]*?\\{\\n([^]*?)^\\}`, "m").exec(sources);
  const inner = group && new RegExp(`^  ${group}: [^\\n]*\\{\\n([^]*?)^  \\}`, "m").exec(whole?.[2] ?? "")?.[1];
  const body = inner?.replaceAll(/^ {2}/gm, "") ?? (group ? "" : (whole?.[2] ?? ""));
  const pattern = `${docstring}^ {2}(?:readonly )?((\\w+)[?:(<][^]*?;)\\n(?= {2}[^\\s)}]|\\n|(?![^]))`;
  const members = Array.from(body.matchAll(new RegExp(pattern, "gm")), ([, doc, code = "", memberName = ""]) => {
    return { name: memberName, code: code.replaceAll(/\/\*\*[^]*?\*\//g, "").replaceAll(/\s+/g, " "), doc: docOf(doc) };
  });
  return { doc: docOf(whole?.[1]), members };
}

/** Each match of a docstring and of what follows it, such as an alternative of a union. */
export function documented(declaration: RegExp): { doc: Doc; found: string }[] {
  const matches = sources.matchAll(new RegExp(`${docstring}\\s*${declaration.source}`, "gm"));
  return Array.from(matches, ([, doc, found = ""]) => ({ doc: docOf(doc), found })).filter(
    ({ doc }) => doc.sentences.length > 0,
  );
}

function docOf(comment = ""): Doc {
  const text = comment.replaceAll(/^\s*\*? ?/gm, "").trim();
  const [prose = "", example = null] = text.split(/\n?@example /);
  const [first = "", ...items] = prose.split(/(?:^|\n)- /).map((part) => part.replaceAll(/\s+/g, " ").trim());
  const named = Array.from(prose.matchAll(/`(\w+)`/g), ([, code]) => code!);
  const errors = [...new Set(named)].filter((code) => Object.hasOwn(errorMessages, code));
  return { sentences: first.split(/(?<=[.!?])\s+(?=[A-Z`])/).filter(Boolean), items, example, errors };
}

/** A method as it is called, such as `list(externalId, page?)`; the name of a property. */
export function callOf({ name, code }: Member): string {
  let text = withAlias(code);
  for (let before = ""; before !== text;) {
    before = text;
    text = text.replaceAll(/<[^<>]*>|\{[^{}]*\}|\[[^[\]]*\]|(?<!^\w+(?:<[^(]*>)?)\([^()]*\)/g, "");
  }
  const parameters = /^\w+\(([^)]*)\)/.exec(text)?.[1];
  if (parameters !== undefined)
    return `${name}(${Array.from(parameters.matchAll(/(\w+\??):/g), ([, one]) => one).join(", ")})`;
  return code.startsWith(`${name}?`) ? `${name}?` : name;
}

/** The type of a property, or of what a method resolves with. The types that it names are described elsewhere. */
export function typeOf({ code }: Member): string {
  const text = withAlias(code);
  const type = /^\w+\??: (.*);$/.exec(text)?.[1] ?? text.slice(text.lastIndexOf("): ") + 3, -1);
  return type
    .replace(/^Promise<(.*)>$/, "$1")
    .replace(/.* \? Promise<(.*)> : (.*)/, "$1 | $2")
    .replaceAll(/KeyOf<[^>]*>/g, "string")
    .replaceAll(/<\w*AttributesOf<Defined>>|Of<Defined>/g, "")
    .replaceAll(/<(?:Connection, )?Defined>|, (?:void|never), undefined| \| undefined|readonly /g, "")
    .replaceAll(/(\w+\??): [^;{}]+(?:(; )|(?= \}))/g, (_, field: string, more?: string) => field + (more ? ", " : ""))
    .replaceAll(", }", " }")
    .replaceAll("→", "=>");
}

/** The code with `=>` as one sign, and with the type of a function in place of its name. */
function withAlias(code: string): string {
  const [, name, alias] = /^(\w+): (\w+)</.exec(code) ?? [];
  const [, parameters, result] =
    (alias && new RegExp(`^export type ${alias}<[^=]*= (\\([^]*?\\)) => (.*);`, "m").exec(sources)) || [];
  return (parameters ? `${name}${parameters}: ${result};` : code).replaceAll(/\s+/g, " ").replaceAll("=>", "→");
}
