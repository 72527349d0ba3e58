import process from "node:process";
import { api } from "../src/api.ts";
import { type Permission, PERMISSIONS } from "@feature-flags/permissions/permissions";
import { putSection, type Row, table } from "./lib/document.ts";

// `npm run permissions` writes the tables of docs/use/permissions.md from the permission map and
// the routes. With `--check`, a part of `npm run check`, it fails when the tables are out of date.
const code = (text: string) => `\`${text}\``;
const orNobody = (texts: readonly string[]) => texts.map(code).join(", ") || "–";

const permissions = Object.entries(PERMISSIONS).map(([permission, grant]) => {
  const { role, scope, keys } = grant;
  const where = "ofOrganisation" in grant ? "in the organisation" : "also in a project";
  return [
    code(permission),
    role === null ? "–" : code(role),
    role ? where : "–",
    scope === null ? "–" : code(scope),
    orNobody(keys),
  ];
});

const endpoints = api.openAPIRegistry.definitions.flatMap((definition): Row[] => {
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
  const open = security.length > 0 ? "`ACTUATOR_TOKEN`, if it is set" : "none: open to everybody";
  return [[code(`${method.toUpperCase()} ${at}`), permission ? code(permission) : open]];
});

const paragraphs = [
  "## Permissions by role, scope and key type",
  table(["permission", "lowest role", "where", "scope of a token", "key types"], permissions),
  "## Permission of each endpoint",
  table(["endpoint", "permission"], endpoints),
];

putSection(
  {
    file: "docs/use/permissions.md",
    name: "permissions",
    paragraphs,
    command: "npm run permissions",
  },
  process.argv.includes("--check"),
);
