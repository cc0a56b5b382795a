/** Checks of arguments that the compiler makes too, for callers without it. */

type Method = (...args: unknown[]) => unknown;

/** The methods that return no promise. */
const synchronous: ReadonlySet<string> = new Set(["changes", "consume", "each", "within", "work", "workspace"]);

/** Throws a `TypeError` for an option that the function does not have. */
export function refuseOthers(name: string, others: object): void {
  for (const [option, value] of Object.entries(others)) {
    if (value !== undefined) throw new TypeError(`${name} has no option "${option}"`);
  }
}

/** Whether the value can be options or a handler. `Array.prototype.map` passes a number and an array, which are neither. */
export function isFunctionOrObject(value: unknown): boolean {
  return typeof value === "function" || (typeof value === "object" && value !== null && !Array.isArray(value));
}

/**
 * Wraps methods, or groups of methods. A wrapped method refuses a function or an object after the last parameter with a
 * `TypeError`. Its parameters must not have defaults, because `length` would not count these parameters.
 */
export function withoutMore<Methods extends object>(methods: Methods): Methods {
  const checked = Object.entries(methods).map(([name, member]: [string, unknown]) => [
    name,
    typeof member === "function" ? checkedMethod(name, member as Method) : withoutMore(member as object),
  ]);
  return Object.fromEntries(checked) as Methods;
}

function checkedMethod(name: string, method: Method): Method {
  const { length } = method;
  return (...args) => {
    const more = args.findIndex((value, index) => index >= length && isFunctionOrObject(value));
    if (more === -1) return method(...args);
    const error = new TypeError(`${name}: argument ${more + 1} is one too many`);
    if (synchronous.has(name)) throw error;
    return Promise.reject(error);
  };
}
