import type { ChecklistDefinition, ChecklistProgress } from "../../lib/behaviour-types.ts";
import { UsageError } from "../settings.ts";
import { onWorkspace, print, readArguments } from "./database-command.ts";

/** `checklists list` and `checklists progress EXTERNAL_ID`. */
export async function checklists(
  [action = "", ...args]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { positionals, workspace, json } = readArguments(args);
  const [externalId] = positionals;
  if (positionals.length !== (action === "progress" ? 1 : 0)) throw new UsageError();
  switch (action) {
    case "list":
      return onWorkspace(environment, workspace, async ({ checklists }) => {
        const listed = await checklists.list();
        print(json, listed.map(lineOf).join("\n"), () => listed);
      });
    case "progress":
      return onWorkspace(environment, workspace, async ({ checklists }) => {
        const progress = await checklists.progress(externalId!);
        print(json, progress.map(linesOf).join("\n"), () => progress);
      });
    default:
      throw new UsageError();
  }
}

function lineOf({ key, name, items }: ChecklistDefinition): string {
  return `${key}  ${items.length} items  ${name}`;
}

function linesOf({ checklistKey, name, progress, items }: ChecklistProgress): string {
  const lines = items.map((item) => `  [${item.completed ? "x" : " "}] ${item.itemKey}  ${item.name}`);
  return [`${checklistKey}  ${progress.completed} of ${progress.total}  ${name}`, ...lines].join("\n");
}
