/** Reads the comments and docstrings of the product. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "../support/suite.ts";

const root = join(import.meta.dirname, "../../..");

const longestSentence = 30;

interface Comment {
  line: string;
  text: string;
}

/** The comments of a source. Lines of `//` that follow one another are one comment. */
function commentsIn(path: string, source: string): Comment[] {
  const comments: Comment[] = [];
  const comment = /\/\*\*?([\s\S]*?)\*\/|((?:(?:^|(?<=\s))\/\/(?!\/).*(?:\n\s*(?=\/\/))?)+)/gm;
  for (const { index, 0: all, 1: block } of source.matchAll(comment)) {
    const line = `${path}:${source.slice(0, index).split("\n").length}`;
    comments.push({
      line,
      text: block === undefined ? all.replaceAll(/^\s*\/\/ ?/gm, "") : block.replaceAll(/^\s*\* ?/gm, ""),
    });
  }
  return comments;
}

/** The sentences of a comment, without its examples. A name in code counts as one word. */
function sentencesIn(text: string): string[] {
  return text
    .replaceAll(/@example[\s\S]*?(?=\n\s*@|$)/g, "")
    .replaceAll(/```[\s\S]*?```/g, "")
    .replaceAll(/`[^`]*`/g, "`code`")
    .split(/\n\s*\n|\n(?=\s*(?:[-@]|\d+\.))/)
    .flatMap((paragraph) =>
      paragraph
        .replaceAll(/\s+/g, " ")
        .trim()
        .split(/(?<=[.!?])\s+(?=[A-Z`])/),
    );
}

function wordsIn(sentence: string): number {
  return sentence.split(" ").filter((word) => /\w/.test(word)).length;
}

const comments = ["lib", "adapters", "server"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => commentsIn(`${folder}/${name}`, readFileSync(join(root, folder, name), "utf8"))),
);

/** The sentences that the condition holds for, each with its line. */
function sentencesThat(holds: (sentence: string) => boolean): string[] {
  return comments.flatMap(({ line, text }) =>
    sentencesIn(text)
      .filter(holds)
      .map((sentence) => `${line}: ${sentence}`),
  );
}

suite("prose", (test) => {
  test("comments of both forms are found, and their sentences", () => {
    const source = 'const url = "http://a";\n/**\n * One. Two\n * three.\n */\nlet a; // Four\n// five.\n/** */';
    const found = commentsIn("file.ts", source);
    assert.deepEqual(
      found.map(({ line, text }) => [line, sentencesIn(text)]),
      [
        ["file.ts:2", ["One.", "Two three."]],
        ["file.ts:6", ["Four five."]],
        ["file.ts:8", [""]],
      ],
    );
    assert.ok(comments.length > 1_000);
  });

  test("no sentence begins with What, Who, Whose or Whom", () => {
    assert.deepEqual(
      sentencesThat((sentence) => /^(?:What|Who|Whose|Whom)\b/.test(sentence)),
      [],
    );
  });

  test(`no sentence has more than ${longestSentence} words`, () => {
    assert.deepEqual(
      sentencesThat((sentence) => wordsIn(sentence) > longestSentence),
      [],
    );
  });

  test("no comment is empty", () => {
    assert.deepEqual(
      comments.filter(({ text }) => text.trim() === ""),
      [],
    );
  });
});
