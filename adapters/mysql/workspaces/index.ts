export { createWorkspaces } from "./deletion.ts";
