export { deletedWorkspaces } from "./deletion.ts";
export { workspaces } from "./list.ts";
