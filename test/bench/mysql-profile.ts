import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Database } from "../support/database.ts";
import { inFolder } from "./databases.ts";
import { kill, load, startWhodid, startWhodidWithContacts } from "./services.ts";

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const listed = 40;

/** Where the server's JavaScript thread spends its time at 256 connections: its functions by their own share, and whose they are. */
export async function profile(database: Database): Promise<void> {
  kill([await startWhodidWithContacts(database.url)]);
  await inFolder(async (folder) => {
    const service = await startWhodid(database.url, { nodeArguments: ["--cpu-prof", `--cpu-prof-dir=${folder}`] });
    const figures = await load(service, { connections: 256, seconds: 10 });
    service.process.kill("SIGTERM");
    await once(service.process, "exit");
    const [file] = await readdir(folder);
    print(JSON.parse(await readFile(join(folder, file!), "utf8")) as Profile);
    console.log(`while profiled: ${JSON.stringify(figures)}`);
  });
}

function print({ nodes, samples, timeDeltas }: Profile): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const owners = new Map<string, number>();
  const add = (times: Map<string, number>, name: string, time: number): unknown =>
    times.set(name, (times.get(name) ?? 0) + time);
  let total = 0;
  samples.forEach((id, index) => {
    const { functionName, url, lineNumber } = frames.get(id)!;
    if (functionName === "(idle)") return;
    const time = timeDeltas[index]!;
    total += time;
    add(owners, ownerOf(url, functionName), time);
    add(functions, `${functionName || "(anonymous)"} ${url && `${basename(url)}:${lineNumber + 1}`}`, time);
  });
  const largest = (times: Map<string, number>): [string, number][] =>
    [...times].sort(([, a], [, b]) => b - a).slice(0, listed);
  for (const times of [owners, functions]) {
    for (const [name, time] of largest(times))
      console.log(`${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`);
    console.log();
  }
}

/** The package, or the folder of ours, or Node; what has no source is the engine's or the system's. */
function ownerOf(url: string, functionName: string): string {
  if (url === "") return functionName.startsWith("(") ? functionName : "native functions";
  if (url.startsWith("node:")) return "Node";
  const inPackage = /.*\/node_modules\/([^/]+)/.exec(url);
  if (inPackage) return inPackage[1]!;
  return /\/dist\/(lib\/http|lib|adapters\/mysql|adapters|server)\//.exec(url)?.[1] ?? "others";
}
