/** Any part of a document. */
export type Json = Record<string, unknown>;

/** A schema, and the document that its references are of. */
interface Part {
  schema: Json;
  document: Json;
}

/**
 * What a client of one document would notice if the server had the other one: what went, which of its requests are refused, and what it
 * does not expect of an answer. Each is one text. What a component says is told once, under its name.
 */
export function noticesOf(before: Json, after: Json): string[] {
  const [was, is] = [before, after].map((document) => schemasOf(document)) as [Json, Json];
  const notices = missing(was, is).map((name) => `component ${name} went`);
  const compare = comparison(before, notices);
  for (const [path, operations] of Object.entries(at(before, "paths"))) {
    for (const [method, operation] of Object.entries(operations as Json)) {
      const name = `${method.toUpperCase()} ${path}`;
      const now = at(after, "paths", path, method);
      if (Object.keys(now).length === 0) {
        notices.push(`${name} went`);
        continue;
      }
      const [old, own] = [parametersOf(operation as Json), parametersOf(now)];
      for (const parameter of missing(old, own)) notices.push(`${name}: parameter ${parameter} went`);
      compare(
        `${name} parameters`,
        { schema: objectOf(old), document: before },
        { schema: objectOf(own), document: after },
      );
      compare(`${name} body`, part(at(operation as Json, "requestBody"), before), part(at(now, "requestBody"), after));
      const [answers, newAnswers] = [at(operation as Json, "responses"), at(now, "responses")];
      for (const status of missing(answers, newAnswers)) notices.push(`${name}: ${status} went`);
      for (const status of missing(newAnswers, answers)) notices.push(`${name}: ${status} is new`);
      for (const [status, answer] of Object.entries(answers).filter(([each]) => each in newAnswers)) {
        compare(`${name} ${status}`, part(at(newAnswers, status), after), part(answer as Json, before));
      }
    }
  }
  return [...new Set(notices)].toSorted();
}

/**
 * Compares two schemas: adds a notice for each part in which a value that the first allows is refused by the second. That is a request
 * of before, or an answer of now.
 */
function comparison(before: Json, notices: string[]): (where: string, from: Part, to: Part) => void {
  const seen = new Set<string>();
  return (where, from, to) => void notices.push(...refusals(where, from, to, []));

  /** `around` are the components of other names around the schemas, which are not compared in themselves again. */
  function refusals(place: string, from: Part, to: Part, around: readonly string[]): string[] {
    const [fromName, toName] = [nameOf(from.schema), nameOf(to.schema)];
    if (fromName === undefined && toName === undefined) return refusalsOfParts(place, from, to, around);
    const isAnswer = to.document === before;
    if (fromName === toName) {
      const name = `${fromName}${isAnswer ? " answered" : ""}`;
      if (seen.has(name)) return [];
      seen.add(name);
      notices.push(...refusals(name, resolved(from), resolved(to), []));
      return [];
    }
    const pair = `${fromName} ${toName}`;
    const [old, now] = isAnswer ? [toName, fromName] : [fromName, toName];
    const name = old !== undefined && now !== undefined ? `${old} as ${now}${isAnswer ? " answered" : ""}` : place;
    return around.includes(pair) ? [] : refusals(name, resolved(from), resolved(to), [...around, pair]);
  }

  function refusalsOfParts(place: string, from: Part, to: Part, around: readonly string[]): string[] {
    const [given, wanted] = [alternativesOf(from), alternativesOf(to)];
    if (given.length > 1 || wanted.length > 1) {
      return given.flatMap((one) => fewest(wanted.map((other) => refusals(place, one, other, around))));
    }
    const [items, wantedItems] = [from.schema["items"], to.schema["items"]];
    return [
      ...limits(from.schema, to.schema).map((limit) => `${place}: ${limit}`),
      ...refusalsOfFields(place, from, to, around),
      ...(isObject(items) && isObject(wantedItems)
        ? refusals(`${place}[]`, { ...from, schema: items }, { ...to, schema: wantedItems }, around)
        : []),
    ];
  }

  function refusalsOfFields(place: string, from: Part, to: Part, around: readonly string[]): string[] {
    const wanted = at(to.schema, "properties");
    const required = listAt(from.schema, "required");
    const lacking = listAt(to.schema, "required").filter((name) => !required.includes(name));
    const gone = to.document === before ? missing(wanted, at(from.schema, "properties")) : [];
    return [
      ...[...new Set([...lacking, ...gone])].map((name) => `${place}.${String(name)} may lack`),
      ...Object.entries(at(from.schema, "properties")).flatMap(([name, schema]) => {
        const field = wanted[name];
        if (!isObject(field)) return to.schema["additionalProperties"] === false ? [`${place}.${name} is unknown`] : [];
        return refusals(`${place}.${name}`, { ...from, schema: schema as Json }, { ...to, schema: field }, around);
      }),
    ];
  }
}

function fewest(lists: string[][]): string[] {
  return lists.reduce((best, next) => (next.length < best.length ? next : best));
}

/** What the first schema allows and the second does not. */
function limits(from: Json, to: Json): string[] {
  const [given, wanted] = [typesOf(from), typesOf(to)];
  const types = given.length === 0 && wanted.length > 0 ? ["another type"] : given;
  const [values, allowed] = [valuesOf(from) ?? ["another value"], valuesOf(to)];
  return [
    ...(wanted.length > 0 ? types.filter((type) => !wanted.includes(type)) : []),
    ...(allowed ? values.filter((value) => !allowed.includes(value)).map(String) : []),
    ...["maxLength", "maximum", "maxItems", "maxProperties"].filter(
      (key) => key in to && !(Number(from[key]) <= Number(to[key])),
    ),
    ...["minLength", "minimum", "minItems", "minProperties"].filter((key) => Number(from[key] ?? 0) < Number(to[key])),
    ...["pattern", "format"].filter((key) => key in to && to[key] !== from[key]),
  ];
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object below these keys; an empty one if there is none. */
function at(json: Json, ...keys: string[]): Json {
  return keys.reduce<Json>((parent, key) => (isObject(parent[key]) ? parent[key] : {}), json);
}

function listAt(json: Json, key: string): unknown[] {
  return Array.isArray(json[key]) ? json[key] : [];
}

function missing(before: Json, after: Json): string[] {
  return Object.keys(before).filter((key) => !(key in after));
}

function schemasOf(document: Json): Json {
  return at(document, "components", "schemas");
}

function parametersOf(operation: Json): Json {
  return Object.fromEntries(
    (listAt(operation, "parameters") as Json[]).map((parameter) => [parameter["name"], parameter]),
  );
}

/** An object whose fields are the parameters. */
function objectOf(parameters: Json): Json {
  const all = Object.entries(parameters as Record<string, Json>);
  return {
    properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
    required: all.filter(([, { required }]) => required).map(([name]) => name),
  };
}

/** What a body is, or an answer. */
function part(holder: Json, document: Json): Part {
  return { schema: at(holder, "content", "application/json", "schema"), document };
}

function nameOf({ $ref: reference }: Json): string | undefined {
  return typeof reference === "string" ? reference.split("/").at(-1) : undefined;
}

function resolved({ schema, document }: Part): Part {
  const name = nameOf(schema);
  return { schema: name === undefined ? schema : at(schemasOf(document), name), document };
}

function alternativesOf({ schema, document }: Part): Part[] {
  const alternatives = [schema["oneOf"], schema["anyOf"]].find(Array.isArray) ?? [schema];
  return (alternatives as Json[]).map((alternative) => ({ schema: alternative, document }));
}

function typesOf({ type, enum: values, const: value }: Json): string[] {
  if (type === undefined && value !== undefined) return [typeof value];
  if (type === undefined && Array.isArray(values)) return [...new Set(values.map((each) => typeof each))];
  const types = [type ?? []].flat() as string[];
  return types.includes("number") ? [...types, "integer"] : types;
}

function valuesOf({ enum: values, const: value }: Json): unknown[] | undefined {
  return value === undefined ? (values as unknown[] | undefined) : [value];
}
