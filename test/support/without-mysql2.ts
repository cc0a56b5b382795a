const module = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

const hooks = module(`export async function resolve(specifier, context, next) {
  if (specifier === "mysql2") throw new Error("not installed");
  return next(specifier, context);
}`);

/** For node's `--import`: a process to which the package mysql2 is not installed. */
export const withoutMysql2: string = module(
  `import { register } from "node:module"; register(${JSON.stringify(hooks)});`,
);
