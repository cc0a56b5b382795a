/** The reference of the server and of the storage on MySQL. */
import { metricList } from "../../adapters/metrics/list.ts";
import { declared, sources } from "./declarations.ts";
import { code, fields, methods, table } from "./markdown.ts";

export function serverReference(): string {
  const usage = /^const usage = `([^`]*)`/m.exec(sources)?.[1] ?? "";
  return [
    "# Reference of the server",
    "[The server and the command](README.md) explains it.",
    "## Settings",
    table(["Environment variable", "Meaning"], settingRows()),
    "## Metrics",
    table(["Metric", "Type, labels", "Meaning", "Alarm"], metricRows()),
    "## Commands",
    `\`\`\`\n${usage}\n\`\`\``,
    "## Options of `visitors` and `dashboard`",
    "`visitors` takes `CommonOptions` and one of the two after it.",
    ...["CommonOptions", "VisitorsOptions", "TokenVisitorsOptions", "DashboardOptions"].map(fields),
  ].join("\n\n");
}

export function mysqlReference(): string {
  return [
    "# Reference of the storage on MySQL",
    "[MySQL and MariaDB](README.md) explains it.",
    "## Options",
    ...["MysqlStorageOptions", "MigrateOptions"].map(fields),
    "## The storage",
    methods(declared("MysqlStorage").members),
    ...["MysqlStats", "BatchStats", "PoolStats", "OutboxStats"].map(fields),
  ].join("\n\n");
}

/** The settings. The docstrings of two interfaces begin with their names. */
export function settingRows(): string[][] {
  const docs = ["DatabaseSettings", "Settings"].flatMap((name) => declared(name).members.map(({ doc }) => doc));
  return docs
    .flatMap(({ sentences, items }) => [sentences.join(" "), ...items])
    .flatMap((text) =>
      Array.from(text.matchAll(/^(`[A-Z_]+`): (.*)/g), ([, name = "", meaning = ""]) => [name, meaning]),
    );
}

function metricRows(): string[][] {
  return metricList.map(({ name, type, labels, meaning, alarm }) => {
    return [code(name), [type, ...labels.map(code)].join(", "), meaning, alarm ?? ""];
  });
}
