/** Which floors each floor of src may import, apart from itself. The order is the order of the floors. */
export const FLOORS: Readonly<Record<string, string>> = {
  core: "",
  db: "core",
  http: "core",
  model: "core db",
  client: "core db http",
  health: "core db http",
  "api-docs": "core db http",
  access: "core db http model",
  mail: "core db http model access",
  changes: "core db http model access mail",
  workflows: "core db http model access mail changes",
  management: "core db http model access mail changes workflows",
  jobs: "core db http model access mail changes workflows",
  mcp: "core http client model access changes workflows management",
  platform:
    "core db http client model access mail changes workflows management jobs mcp health api-docs",
  root: "core db http client model access mail changes workflows management jobs mcp health api-docs platform",
};

const floorOf = (file: string): string => {
  const [, floor = "", ...rest] = file.split("/");
  return rest.length === 0 ? "root" : floor;
};

/** Returns the room of a file of src: its folder below the floor, else the floor. */
export function roomOf(file: string): string {
  const [, floor = "", ...rest] = file.split("/");
  if (rest.length === 0) return `root/${floor}`;
  return rest.length > 1 ? `${floor}/${rest[0]}` : floor;
}

/** Whether the floor of the first file may not import the floor of the second file. */
export function isUpward(from: string, to: string): boolean {
  const [floor, other] = [floorOf(from), floorOf(to)];
  return floor !== other && !(FLOORS[floor] ?? "").split(" ").includes(other);
}

/** Returns the strongly connected components of a graph (Tarjan). */
export function components(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  /** Returns the lowest index on the stack that the node reaches. */
  const visit = (node: string): number => {
    const own = index.size;
    let lowest = own;
    index.set(node, own);
    stack.push(node);
    for (const next of graph.get(node) ?? [])
      if (!index.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, index.get(next) ?? own);
    if (lowest === own) found.push(stack.splice(stack.indexOf(node)));
    return lowest;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}
