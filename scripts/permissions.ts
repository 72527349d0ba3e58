import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { app } from "../src/app.ts";
import { type Permission, PERMISSIONS } from "../src/core/permissions.ts";
import { ROOT } from "./lib/processes.ts";

// `npm run permissions` writes who may do what into the README; with `--check`, part of `npm run
// check`, the README must say what the code does.
const FILE = path.join(ROOT, "README.md");
const START = "<!-- permissions:start -->";
const END = "<!-- permissions:end -->";

type Row = readonly string[];

/** Markdown, padded as the formatter does it. */
function table(head: Row, rows: readonly Row[]): string {
  const widths = head.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: Row, pad = " ") =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0, pad)).join(" | ")} |`;
  return [
    line(head),
    line(["", "", ""].slice(0, head.length), "-"),
    ...rows.map((r) => line(r)),
  ].join("\n");
}

const code = (text: string) => `\`${text}\``;
const orNobody = (texts: readonly string[]) => texts.map(code).join(", ") || "–";

const permissions = Object.entries(PERMISSIONS).map(([permission, { role, keys }]) => [
  code(permission),
  role === null ? "–" : code(role),
  orNobody(keys),
]);

const endpoints = app.openAPIRegistry.definitions.flatMap((definition): Row[] => {
  if (definition.type !== "route") return [];
  const {
    method,
    path: at,
    "x-permission": permission,
  } = definition.route as {
    method: string;
    path: string;
    "x-permission"?: Permission | null;
  };
  return [
    [code(`${method.toUpperCase()} ${at}`), permission ? code(permission) : "open to anybody"],
  ];
});

const generated = [
  START,
  table(["permission", "least role", "keys"], permissions),
  "<details>\n<summary>The permission that each call needs</summary>",
  table(["call", "permission"], endpoints),
  "</details>",
  END,
].join("\n\n");

const readme = readFileSync(FILE, "utf8");
const [start, end] = [readme.indexOf(START), readme.indexOf(END)];
if (start === -1 || end < start) throw new Error(`README.md has no ${START} … ${END}`);
const wanted = readme.slice(0, start) + generated + readme.slice(end + END.length);

if (!process.argv.includes("--check")) writeFileSync(FILE, wanted);
else if (wanted !== readme) {
  console.error("README.md does not have the permissions of the code: npm run permissions");
  process.exitCode = 1;
}
