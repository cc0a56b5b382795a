import type { Server } from "node:http";
import { log } from "./log.ts";

/** The files that this process opens beside the connections of its clients: the database's sockets among them. */
const otherFiles = 100;

/** Lowers `server.maxConnections` to the number of files that the system lets this process open, and warns of it. */
export function limitConnections(server: Server): void {
  const openFiles = readOpenFilesMax();
  const connections = Math.max(1, openFiles - otherFiles);
  if (connections >= server.maxConnections) return;
  server.maxConnections = connections;
  const message = `This process may open ${openFiles} files, so it keeps at most ${connections} connections: raise \`ulimit -n\`.`;
  log("warning", { message });
}

/** Takes 15 ms. */
function readOpenFilesMax(): number {
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork?: boolean };
  const { excludeNetwork = false } = report;
  // Otherwise the report looks up the host names of all addresses.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files: { soft: number | "unlimited" } } };
  report.excludeNetwork = excludeNetwork;
  const soft = userLimits?.open_files.soft;
  return typeof soft === "number" ? soft : Infinity;
}
