/** `npm run bench -- NAME [arguments]`: prints what it measured, side by side. */
const benches: Record<string, () => Promise<{ run(...args: string[]): Promise<void> }>> = {
  client: () => import("./client.ts"),
  cluster: () => import("./cluster.ts"),
  handle: () => import("./handle.ts"),
  heap: () => import("./heap.ts"),
  bytes: () => import("./bytes.ts"),
  server: () => import("./server.ts"),
  mounts: () => import("./mounts.ts"),
  flat: () => import("./flat.ts"),
  deletion: () => import("./deletion.ts"),
  pruning: () => import("./pruning.ts"),
  flood: () => import("./flood.ts"),
  mysql: () => import("./mysql.ts"),
  audiences: () => import("./audiences.ts"),
  import: () => import("./import.ts"),
  "round-trip": () => import("./round-trip.ts"),
  load: () => import("./load.ts"),
  orms: () => import("./orms.ts"),
};

const [name = "", ...args] = process.argv.slice(2);
const bench = benches[name];
if (bench) {
  await (await bench()).run(...args);
} else {
  console.error(`Which one? npm run bench -- ${Object.keys(benches).join(" | ")}`);
  process.exitCode = 2;
}
