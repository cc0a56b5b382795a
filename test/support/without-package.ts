const module = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** For node's `--import`: a process to which the package is not installed. */
export function withoutPackage(name: string): string {
  const hooks = module(`export async function resolve(specifier, context, next) {
  if (specifier === ${JSON.stringify(name)}) throw new Error("not installed");
  return next(specifier, context);
}`);
  return module(`import { register } from "node:module"; register(${JSON.stringify(hooks)});`);
}
