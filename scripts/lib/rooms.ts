import { withoutPauses } from "@feature-flags/evaluation/pausing";
import { cyclesOf } from "../../src/core/flags/prerequisites.ts";

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

/** Returns the circles of rooms, which are found as cycles of flags that require each other are. */
export function circlesOf(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const required = new Map(Array.from(imports, ([room, others]) => [room, [...others]]));
  const circles = withoutPauses(cyclesOf(required));
  return [...Map.groupBy(circles.keys(), (room) => circles.get(room)).values()];
}
