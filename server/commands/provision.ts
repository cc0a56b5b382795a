import type { Comparison, Definitions, RemovedDefinition, Workspace } from "../../lib/index.ts";
import { describeIssue } from "../../lib/model/errors.ts";
import { print } from "../print.ts";
import { withDefinitions } from "../provision-file.ts";
import { readUndefinedEvents, CommandError, UsageError } from "../settings.ts";
import { onWorkspace, readOptions } from "./database-command.ts";

const flag = { type: "boolean", default: false } as const;

/**
 * `provision FILE` stores the definitions of a JSON file or of a module; `--prune --yes` also removes what the file does not
 * name. `provision --check FILE` prints what differs, and changes nothing.
 */
export async function provision(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const own = { check: flag, prune: flag, yes: flag };
  const { positionals, values } = readOptions<Record<keyof typeof own, boolean>>(args, own, ["FILE"]);
  const { check, prune, yes, workspace, json } = values;
  const [file = ""] = positionals;
  if (check && (prune || yes)) throw new UsageError("--check changes nothing: leave out --prune and --yes.");
  if (yes && !prune) throw new UsageError("--yes goes with --prune.");
  const run = async (opened: Workspace, definitions: Definitions): Promise<void> => {
    if (check) return printCheck(await opened.compare(definitions), file, json);
    // Runs before the first write, because it throws if a definition cannot be pruned.
    const toPrune = prune ? await opened.removeUnlisted(definitions, { dryRun: true }) : [];
    if (prune && !yes) return printDryRun(toPrune, json);
    const provisioned = await opened.provision(definitions);
    const pruned = prune ? await opened.removeUnlisted(definitions) : [];
    const lines = [...linesOf(provisioned, provisionWords), ...pruned.map((entry) => `pruned  ${prunedLine(entry)}`)];
    print(json, lines.length > 0 ? lines : ["There is nothing to make."], { provisioned, pruned });
  };
  await onWorkspace(environment, workspace, (opened) => withDefinitions(file, (read) => run(opened, read)), {
    undefinedEvents: readUndefinedEvents(environment),
  });
}

/** The words for the states of definitions, and for an item that is stored and not in the file. */
const checkWords = { same: null, missing: "missing", changed: "changed", extra: "extra", extraItem: "extra" };
const provisionWords = {
  same: "left",
  missing: "created",
  changed: "changed",
  extra: "not in the file",
  extraItem: "warning: lost",
};

function printCheck(comparison: Comparison, file: string, json: boolean): void {
  const lines = linesOf(comparison, checkWords);
  print(json, comparison.same ? [...lines, "Nothing differs."] : lines, comparison);
  if (!comparison.same) throw new CommandError(`The stored definitions are not those of ${file}.`);
}

function printDryRun(toPrune: readonly RemovedDefinition[], json: boolean): void {
  const lines = toPrune.map((entry) => `to prune  ${prunedLine(entry)}`);
  print(json, lines.length > 0 ? lines : ["Nothing to prune."], { toPrune });
  throw new CommandError("Nothing was made or removed: --prune needs --yes.");
}

function linesOf({ definitions, issues }: Comparison, words: typeof checkWords | typeof provisionWords): string[] {
  const lines = definitions.flatMap(({ kind, key, state, changes, items }) => {
    const word = words[state];
    if (word === null) return [];
    return [
      lineOf(word, `${kind} ${key}`, changes),
      ...items.map((item) => {
        return `  ${lineOf(words[item.state === "extra" ? "extraItem" : item.state], `item ${item.key}`, item.changes)}`;
      }),
    ];
  });
  const warnings = issues.map(({ kind, key, ...issue }) => `warning: ${kind} ${key}: ${describeIssue(issue)}`);
  return [...lines, ...warnings];
}

function lineOf(word: string, name: string, changes: readonly string[]): string {
  return `${word}  ${name}${changes.length > 0 ? `: ${changes.join(", ")}` : ""}`;
}

function prunedLine({ kind, key, contacts, items }: RemovedDefinition): string {
  const touched = {
    event: "",
    audience: "",
    subscription: "",
    attribute: `: ${contacts} contacts`,
    checklist: `: ${items} items, ${contacts} contacts`,
  };
  return `${kind} ${key}${touched[kind]}`;
}
