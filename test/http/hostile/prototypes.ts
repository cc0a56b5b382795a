import assert from "node:assert/strict";

const prototypes = [Object, Array, Function, String, Number, Boolean, Map, Set, Promise, RegExp, Error, Date].map(
  (constructor): object => constructor.prototype as object,
);

/** Remembers the prototypes that a hostile input might reach; asserts that they are still the same. */
export function watchPrototypes(): () => void {
  const before = prototypes.map(ownProperties);
  return () => {
    for (const [index, prototype] of prototypes.entries()) {
      const expected = before[index]!;
      const actual = ownProperties(prototype);
      const isSame = actual.length === expected.length && actual.every((item, n) => item === expected[n]);
      assert.ok(isSame, `${prototype.constructor.name}.prototype has changed`);
    }
  };
}

/** Keys and values in turn; of an accessor the getter. */
function ownProperties(object: object): unknown[] {
  return Object.entries(Object.getOwnPropertyDescriptors(object)).flatMap(([key, { value, get }]) => [
    key,
    value ?? get,
  ]);
}
