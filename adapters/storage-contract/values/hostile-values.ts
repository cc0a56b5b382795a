import { newId } from "../../../lib/model/ids.ts";
import type { Scalar } from "../../../lib/model/types.ts";
import { at } from "../drafts.ts";
import { hostileTexts } from "./hostile-texts.ts";

/** An id that some of the values contain. */
export const idInHostileValues: string = newId(at);

const numbers = [0, 1, 12, 123, -1, 0.1, 0.30000000000000004, 1e21, 1e-7, 5e-324, -1.7976931348623157e308, 2 ** 53 - 1];
const escapes = ["x", '"x"', "x\\", "\\\\x", "12", "\u0001\b\f\u007f\u001f", "\\u0001", "x".repeat(4_096)];

/** Texts and numbers that careless code confuses with the JSON around them. */
export const hostileValues: readonly Scalar[] = [
  ...hostileTexts,
  `"${idInHostileValues}":"x"`,
  `"${idInHostileValues}":`,
  `{"${idInHostileValues}":"x"}`,
  `\\"${idInHostileValues}\\":\\"x`,
  `x","${idInHostileValues}":"y`,
  `x"}`,
  ...escapes,
  ...numbers,
  true,
  false,
];
