/** Holds each subject to one name on every floor, and each word to one meaning. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { suite } from "../support/suite.ts";

const root = join(import.meta.dirname, "../../..");
const subjects = "contacts events definitions audiences watches changes consumers api-keys workspaces".split(" ");
const floors = ["lib", "lib/storage", "adapters/mysql", "adapters/memory", "adapters/storage-contract"];

/** The words of a meaning, and where files and exports may have them in their names: beginnings of paths, or single names. */
const tables = "adapters/mysql/sql/ adapters/mysql/migrations/";
const rooms: Readonly<Record<string, string>> = {
  "watch watches watched watcher watching": `${[...floors, "lib/decisions"].map((floor) => `${floor}/watch`).join(" ")}
    ${tables} adapters/mysql/sweeps/ server/dashboard/app/kit/watching server/dashboard/app/pages/audiences/ watchPauseMs`,
  "slot slots": `${tables} lib/consumers/ lib/storage/consumers lib/decisions/slots adapters/mysql/consumers/
    adapters/memory/changes/slots slotCount`,
  "prune pruned pruning": `${tables} lib/events/ lib/storage/events lib/input/structs lib/decisions/seen-events
    adapters/memory/pruning adapters/mysql/events/ adapters/storage-contract/events/ server/commands/prune PrunedDefinition`,
  "membership memberships": `${tables} lib/decisions/watches adapters/mysql/limits`,
  compound: `${tables} adapters/mysql/connection/execute`,
  runner: "adapters/mysql/transactions/",
  "waiting held": tables,
  "packet retention identity": "nothing",
};

function wordsOf(name: string): string[] {
  const parts = name.replaceAll(/([a-z\d])([A-Z])/g, "$1-$2");
  return parts.toLowerCase().split(/[^a-z\d]+/);
}

/** The path of a file, and the names that it exports. */
function namesIn(path: string): string[] {
  const pattern = /^export (?:async )?(?:function\*?|const|interface|type|class|\* as) (\w+)/gm;
  return [path, ...Array.from(readFileSync(join(root, path), "utf8").matchAll(pattern), ([, name]) => name!)];
}

suite("words", (test) => {
  for (const floor of floors) {
    test(`${floor} has a room for each of the nine subjects`, () => {
      const isThere = (name: string): boolean => existsSync(join(root, floor, name));
      assert.deepEqual(
        subjects.filter((subject) => !isThere(subject) && !isThere(`${subject}.ts`)),
        [],
      );
    });
  }

  test("stand in the names of files and exports of their rooms alone", () => {
    const files = ["lib", "adapters", "server"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => posix.join(folder, name)),
    );
    for (const [words, allowed] of Object.entries(rooms)) {
      const isWord = (word: string): boolean => words.split(" ").includes(word);
      const found = files.flatMap((path) =>
        namesIn(path).flatMap((name) => (wordsOf(name).some(isWord) ? { path, name } : [])),
      );
      const isAllowed = (room: string, { path, name }: { path: string; name: string }): boolean =>
        path.startsWith(room) || name === room;
      const list = allowed.split(/\s+/);
      assert.deepEqual(
        found.filter((one) => !list.some((room) => isAllowed(room, one))),
        [],
      );
    }
  });
});
