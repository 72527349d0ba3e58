/**
 * Checks the floors and rooms of src (docs/build/architecture.md, "Import directions"). A floor is
 * a folder of src. A room is a folder of a floor, or the files that lie in the floor itself. Prints
 * the rooms in a circle, the imports that run upward, and the floors that `FLOORS` does not name.
 * Exits with 1 if there are any. The linter checks that no import runs upward, but cannot see
 * circles.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { circlesOf, FLOORS, isUpward, roomOf } from "./lib/rooms.ts";

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

const files = globSync("src/**/*.ts").map((file) => file.split(path.sep).join("/"));
const imports = files.flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(IMPORT)]
    .map(([, way = ""]) => path.posix.join(path.posix.dirname(file), way))
    .filter((to) => to.startsWith("src/"))
    .map((to) => ({ from: file, to })),
);

const rooms = new Map<string, Set<string>>();
for (const file of files) rooms.set(roomOf(file), new Set());
for (const { from, to } of imports)
  if (roomOf(from) !== roomOf(to)) rooms.get(roomOf(from))?.add(roomOf(to));

const faults = [
  ...[...new Set(files.map((file) => roomOf(file).split("/")[0] ?? ""))]
    .filter((floor) => !(floor in FLOORS))
    .map((floor) => `no floor in the table: ${floor}`),
  ...circlesOf(rooms).map(
    (circle) => `circle of ${circle.length} rooms: ${circle.toSorted().join(", ")}`,
  ),
  ...imports
    .filter(({ from, to }) => isUpward(from, to))
    .map(({ from, to }) => `upward: ${from} imports ${to}`),
];
for (const fault of faults) console.log(fault);
console.log(`${files.length} files, ${rooms.size} rooms, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
