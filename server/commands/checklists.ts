import type { ChecklistProgress, ChecklistDefinition } from "../../lib/model/types.ts";
import { print } from "../print.ts";
import { onWorkspace, readAction } from "./database-command.ts";

/** `checklists list` and `checklists progress EXTERNAL_ID`. */
export async function checklistsCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { action, positionals, values } = readAction("checklists", args, {
    list: {},
    progress: { names: ["EXTERNAL_ID"] },
  });
  const { workspace, json } = values;
  const [externalId = ""] = positionals;
  await onWorkspace(environment, workspace, async ({ checklists }) => {
    if (action === "list") {
      const listed = await checklists.list();
      return print(json, listed.map(lineOf), listed);
    }
    const progress = await checklists.progress(externalId);
    print(json, progress.flatMap(linesOf), progress);
  });
}

function lineOf({ key, name, items }: ChecklistDefinition): string {
  return `${key}  ${items.length} items  ${name}`;
}

function linesOf({ checklistKey, name, progress, dismissedAt, items }: ChecklistProgress): string[] {
  const lines = items.map(({ itemKey, name: itemName, automatic, completed, completedAt }) =>
    [`  [${completed ? "x" : " "}] ${itemKey}`, itemName, automatic ? null : "by hand", completedAt]
      .filter((part) => part !== null)
      .join("  "),
  );
  const dismissed = dismissedAt === null ? "" : `  dismissed ${dismissedAt}`;
  return [`${checklistKey}  ${progress.completed} of ${progress.total}  ${name}${dismissed}`, ...lines];
}
