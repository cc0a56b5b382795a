import { callOf, declared, typeOf, type Doc, type Member } from "./declarations.ts";

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Methods, one a row, and below them what their docstrings say beyond the first sentence. */
export function methods(members: readonly Member[]): string {
  const rows = members.map((member) => {
    const { doc } = member;
    return [code(callOf(member)), code(typeOf(member)), withoutCodes(doc)[0] ?? "", doc.errors.map(code).join(" ")];
  });
  const notes = members.flatMap(({ name, doc }) => {
    const items = [...doc.items, ...(doc.example === null ? [] : [code(doc.example)])].map((item) => `  - ${item}`);
    const more = withoutCodes(doc).slice(1).join(" ");
    return more || items.length > 0 ? [[`- **\`${name}\`** ${more}`.trim(), ...items].join("\n")] : [];
  });
  return `${table(["Method", "Result", "What it does", "Errors"], rows)}\n\n${notes.join("\n")}`.trim();
}

/** The fields of an interface, one a row, below what the interface is. */
export function fields(name: string): string {
  const { doc, members } = declared(name);
  const rows = members.map((member) => [code(callOf(member)), code(typeOf(member)), textOf(member.doc)]);
  return `${`**\`${name}\`** ${textOf(doc)}`.trim()}\n\n${table(["Field", "Type", "Meaning"], rows)}`;
}

/** The whole docstring in one paragraph. */
export function textOf({ sentences, items }: Doc): string {
  return [...sentences, ...items].join(" ");
}

/** The sentences that are more than a list of error codes. */
function withoutCodes({ sentences, errors }: Doc): string[] {
  return sentences.filter((sentence) =>
    /\w/.test(errors.reduce((left, error) => left.replaceAll(code(error), ""), sentence)),
  );
}

export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}
