import { plainColumns } from "./contacts.ts";

/**
 * The statements that create or replace the views for plain SQL. Invokers need rights on the tables. Columns that end in `_bytes` are
 * columns of the tables, so conditions on them can use indexes. All text has one collation. Without it, comparisons with columns of
 * other tables would fail, and GROUP BY would merge different keys.
 */
export function createViews(prefix: string): readonly string[] {
  const view = (name: string, columns: readonly string[], from: string): string =>
    `CREATE OR REPLACE SQL SECURITY INVOKER VIEW ${prefix}v_${name} AS
SELECT ${columns.join(",\n  ")}
FROM ${from}`;
  const contacts = `${prefix}contacts c`;
  // The workspace lets a condition on both `_bytes` columns find the contact by its index.
  const withContact = (table: string, alias: string): string =>
    `${prefix}${table} ${alias} LEFT JOIN ${contacts} ON c.id = ${alias}.contact_id AND c.workspace = ${alias}.workspace`;
  return [
    view("contacts", contactColumns, contacts),
    view("events", eventColumns, withContact("events", "e")),
    view("summaries", summaryColumns, withContact("summaries", "s")),
    view(
      "attributes",
      attributeColumns,
      `${contacts} JOIN ${prefix}definitions d ON d.workspace = c.workspace AND d.kind = 'attribute' AND ${value} IS NOT NULL`,
    ),
  ];
}

const text = (expression: string): string => `CONVERT(${expression} USING utf8mb4) COLLATE utf8mb4_bin`;

const textAs = (column: string, name: string): string => `${text(column)} AS ${name}`;

/** MariaDB 10.6 has no BIN_TO_UUID. */
function uuid(column: string): string {
  const parts = [
    [1, 4],
    [5, 2],
    [7, 2],
    [9, 2],
    [11, 6],
  ].map(([from, length]) => `HEX(SUBSTR(${column}, ${from}, ${length}))`);
  return text(`LOWER(CONCAT_WS('-', ${parts.join(", ")}))`);
}

/** FROM_UNIXTIME would depend on the time zone of the session. */
const timeOf = (milliseconds: string): string =>
  `CAST(TIMESTAMPADD(MICROSECOND, ${milliseconds} * 1000, TIMESTAMP'1970-01-01 00:00:00') AS DATETIME(3))`;

const time = (column: string): string => `${timeOf(column)} AS ${column.slice(2)}`;

const workspace = (alias: string): string[] => [
  textAs(`${alias}.workspace`, "workspace"),
  `${alias}.workspace AS workspace_bytes`,
];

const externalId = [textAs("c.effective_external_id", "external_id"), "c.effective_external_id AS external_id_bytes"];

const contactColumns = [
  `${uuid("c.id")} AS id`,
  ...workspace("c"),
  ...externalId,
  ...["email", ...plainColumns].map((name) => textAs(`c.${name}`, name)),
  ...["c.signed_up_at", "c.created_at", "c.updated_at"].map((column) => time(column)),
];

const eventColumns = [
  `${uuid("e.id")} AS id`,
  ...workspace("e"),
  `${uuid("e.contact_id")} AS contact_id`,
  ...externalId,
  textAs("e.event_key", "event_key"),
  "e.properties",
  time("e.created_at"),
];

const summaryColumns = [
  ...workspace("s"),
  `${uuid("s.contact_id")} AS contact_id`,
  ...externalId,
  textAs("s.event_key", "event_key"),
  "s.event_count",
  time("s.first_at"),
  time("s.last_at"),
];

/** Attributes are stored under the id of their definition. */
const value = `JSON_EXTRACT(c.attributes, CONCAT('$."', ${uuid("d.id")}, '"'))`;

const type = text("JSON_UNQUOTE(JSON_EXTRACT(d.body, '$.type'))");

const attributeColumns = [
  ...workspace("c"),
  `${uuid("c.id")} AS contact_id`,
  ...externalId,
  textAs("d.definition_key", "attribute_key"),
  `${type} AS type`,
  // JSON_VALUE would cut the value at 512 characters on MySQL.
  textAs(`JSON_UNQUOTE(${value})`, "value"),
  `CASE WHEN ${type} = 'date' THEN ${timeOf(`CAST(JSON_UNQUOTE(${value}) AS SIGNED)`)} END AS date_value`,
];
