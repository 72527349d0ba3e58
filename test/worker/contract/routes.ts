import type { Permission } from "../../../src/core/permissions.ts";

export const CALLERS = ["VIEWER", "DEVELOPER", "ADMIN", "SERVER", "FRONTEND"] as const;
export type Caller = (typeof CALLERS)[number];

const ADMINS = ["ADMIN"] as const;
const EDITORS = ["DEVELOPER", ...ADMINS] as const;
const PEOPLE = ["VIEWER", ...EDITORS] as const;
const READERS = [...PEOPLE, "SERVER"] as const;

/** Who has which permission, as decisions 3.2 and 3.4 have it: written down a second time. */
export const HOLDERS: Readonly<Record<Permission, readonly Caller[]>> = {
  "project:read": READERS,
  "project:write": ADMINS,
  "environment:read": READERS,
  "environment:write": ADMINS,
  "flag:read": READERS,
  "flag:write": EDITORS,
  "strategy:read": READERS,
  "strategy:write": [...EDITORS, "SERVER"],
  "segment:read": READERS,
  "segment:write": EDITORS,
  "api-key:read": READERS,
  "api-key:write": ADMINS,
  "session:own": PEOPLE,
  "rules:read": ["SERVER"],
  "rules:evaluate": ["SERVER", "FRONTEND"],
};

/** What exists when a route is called so that it succeeds; the doomed may be deleted. */
export interface Known {
  readonly projectId: number;
  readonly environmentId: number;
  readonly flagId: number;
  readonly segmentId: number;
  readonly keyId: number;
  readonly doomed: {
    readonly projectId: number;
    readonly environmentId: number;
    readonly flagId: number;
    readonly segmentId: number;
    readonly keyId: number;
  };
  readonly login: object;
  readonly refreshToken: string;
  readonly unique: string;
}

export interface Route {
  /** Method and path as the description has them, such as `GET /api/v1/flags/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** null: open to everybody. */
  readonly permission: Permission | null;
  /** What takes the place of the parameters, in their order, when it succeeds. */
  readonly ids?: (known: Known) => readonly number[];
  readonly query?: (known: Known) => string;
  readonly body?: (known: Known) => object;
}

type Call = Pick<Route, "ids" | "query" | "body">;

function route(name: string, permission: Permission | null, call: Call = {}): Route {
  const [method = "", path = ""] = name.split(" ");
  return { name, method, path, permission, ...call };
}

const project: Call = { ids: (k) => [k.projectId] };
const environment: Call = { ids: (k) => [k.environmentId] };
const flag: Call = { ids: (k) => [k.flagId] };
const segment: Call = { ids: (k) => [k.segmentId] };
const key: Call = { ids: (k) => [k.keyId] };
const doomed = (kind: keyof Known["doomed"]): Call => ({ ids: (k) => [k.doomed[kind]] });

const renamed: Call = { body: ({ unique }) => ({ name: unique }) };
const inProject: Call = { body: ({ unique, projectId }) => ({ name: unique, projectId }) };
const oneEnvironment: Call = { query: (k) => `?environmentId=${k.environmentId}` };

/** Every route of the API. A new one is classified here, or the matrix fails. */
export const ROUTES: readonly Route[] = [
  route("GET /api/client/features", "rules:read"),
  route("POST /api/client/evaluate", "rules:evaluate", { body: () => ({ context: {} }) }),

  route("POST /api/v1/auth/login", null, { body: (k) => k.login }),
  route("POST /api/v1/auth/refresh", null, { body: ({ refreshToken }) => ({ refreshToken }) }),
  route("GET /api/v1/auth/me", "session:own"),
  route("POST /api/v1/auth/select-project", "session:own", inProject),
  route("POST /api/v1/auth/logout", "session:own"),

  route("GET /api/v1/projects", "project:read"),
  route("POST /api/v1/projects", "project:write", renamed),
  route("GET /api/v1/projects/{id}", "project:read", project),
  route("PUT /api/v1/projects/{id}", "project:write", { ...project, ...renamed }),
  route("DELETE /api/v1/projects/{id}", "project:write", doomed("projectId")),

  route("GET /api/v1/environments", "environment:read"),
  route("POST /api/v1/environments", "environment:write", inProject),
  route("GET /api/v1/environments/{id}", "environment:read", environment),
  route("PUT /api/v1/environments/{id}", "environment:write", { ...environment, ...renamed }),
  route("DELETE /api/v1/environments/{id}", "environment:write", doomed("environmentId")),

  route("GET /api/v1/flags", "flag:read"),
  route("GET /api/v1/flags/by-environment", "flag:read", oneEnvironment),
  route("GET /api/v1/flags/enriched", "flag:read"),
  route("POST /api/v1/flags", "flag:write", {
    body: (k) => ({
      key: k.unique,
      name: "n",
      flagType: "RELEASE",
      tags: ["t", "u"],
      projectId: k.projectId,
    }),
  }),
  route("GET /api/v1/flags/{id}", "flag:read", flag),
  route("PUT /api/v1/flags/{id}", "flag:write", {
    ...flag,
    body: ({ unique }) => ({ name: unique, tags: ["t", "v"] }),
  }),
  route("POST /api/v1/flags/{id}/archive", "flag:write", flag),
  route("POST /api/v1/flags/{id}/unarchive", "flag:write", flag),
  route("DELETE /api/v1/flags/{id}", "flag:write", doomed("flagId")),

  route("GET /api/v1/flags/{flagId}/strategies", "strategy:read", flag),
  route("GET /api/v1/flags/{flagId}/strategies/{environmentId}", "strategy:read", {
    ids: (k) => [k.flagId, k.environmentId],
  }),
  route("PUT /api/v1/flags/{flagId}/strategies", "strategy:write", {
    ...flag,
    body: (k) => ({ environmentId: k.environmentId, enabled: true, segmentIds: [k.segmentId] }),
  }),

  route("GET /api/v1/segments", "segment:read"),
  route("POST /api/v1/segments", "segment:write", inProject),
  route("GET /api/v1/segments/{id}", "segment:read", segment),
  route("PUT /api/v1/segments/{id}", "segment:write", { ...segment, ...renamed }),
  route("DELETE /api/v1/segments/{id}", "segment:write", doomed("segmentId")),

  route("GET /api/v1/api-keys", "api-key:read"),
  route("POST /api/v1/api-keys", "api-key:write", {
    body: (k) => ({ name: k.unique, keyType: "SERVER", environmentId: k.environmentId }),
  }),
  route("PUT /api/v1/api-keys/{id}", "api-key:write", { ...key, ...renamed }),
  route("DELETE /api/v1/api-keys/{id}", "api-key:write", doomed("keyId")),
];

/** The path of a call, with values in the place of the parameters. */
export function filled(path: string, ids: readonly (number | string)[]): string {
  let next = 0;
  return path.replaceAll(/\{\w+\}/g, () => String(ids[next++]));
}
