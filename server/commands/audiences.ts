import type { Explanation, AudienceDefinition } from "../../lib/model/types.ts";
import { print } from "../print.ts";
import { onWorkspace, readAction } from "./database-command.ts";

const actions = {
  list: {},
  count: { names: ["KEY"] },
  members: { names: ["KEY"] },
  explain: { names: ["KEY", "EXTERNAL_ID"] },
};

/** `audiences list`, `count KEY`, `members KEY` and `explain KEY EXTERNAL_ID`. */
export async function audiencesCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { action, positionals, values } = readAction("audiences", args, actions);
  const { workspace, json } = values;
  const [key = "", externalId = ""] = positionals;
  await onWorkspace(environment, workspace, async ({ audiences }) => {
    switch (action) {
      case "list": {
        const listed = await audiences.list();
        return print(json, listed.map(lineOf), listed);
      }
      case "count": {
        const count = await audiences.count(key);
        return print(json, [String(count)], { count });
      }
      case "members":
        for await (const contact of audiences.each(key))
          print(json, [`${contact.id}  ${contact.externalId}  ${contact.email}`], contact);
        return;
      default: {
        const explanation = await audiences.explain(key, externalId);
        return print(json, linesOf(explanation), explanation);
      }
    }
  });
}

function lineOf({ key, name, rule }: AudienceDefinition): string {
  return `${key}  ${JSON.stringify(rule)}  ${name}`;
}

function linesOf({ match, because }: Explanation): string[] {
  const lines = because.map(({ rule, match: isTrue, observed }) => {
    return `  [${isTrue ? "x" : " "}] ${JSON.stringify(rule)}  ${told(rule, observed)}`;
  });
  return [match ? "a member" : "no member", ...lines];
}

type Because = Explanation["because"][number];

function told(rule: Because["rule"], observed: Because["observed"]): string {
  if (!observed) return "eventKey" in rule ? "never done" : "checklistKey" in rule ? "not defined" : "not set";
  if ("value" in observed) return JSON.stringify(observed.value);
  if ("total" in observed) return `${observed.completed} of ${observed.total}`;
  return `${observed.count} times, first ${observed.firstAt}, last ${observed.lastAt}`;
}
