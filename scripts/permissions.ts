import process from "node:process";
import { app } from "../src/app.ts";
import { type Permission, PERMISSIONS } from "@feature-flags/permissions/permissions";
import { putSection, type Row, table } from "./lib/readme.ts";

// `npm run permissions` writes who may do what into the README; with `--check`, part of `npm run
// check`, the README must say what the code does.
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
    security = [],
    "x-permission": permission,
  } = definition.route as {
    method: string;
    path: string;
    security?: readonly object[];
    "x-permission"?: Permission | null;
  };
  const open = security.length > 0 ? "`ACTUATOR_TOKEN`, where it is set" : "open to anybody";
  return [[code(`${method.toUpperCase()} ${at}`), permission ? code(permission) : open]];
});

const generated = [
  table(["permission", "least role", "keys"], permissions),
  "<details>\n<summary>The permission that each call needs</summary>",
  table(["call", "permission"], endpoints),
  "</details>",
];

putSection("permissions", generated, {
  check: process.argv.includes("--check"),
  command: "npm run permissions",
});
