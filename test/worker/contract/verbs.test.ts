/// <reference types="vite/types/importMeta.d.ts" />
import type {
  Actor,
  ActorToken,
  Permission,
  Role,
  UserActor,
} from "@feature-flags/permissions/permissions";
import { afterEach, beforeAll, describe, expect, expectTypeOf, it, vi } from "vitest";
import { ApiError } from "../../../src/core/errors/api-error.ts";
import * as checks from "../../../src/http/permission.ts";
import { callBy, reads, writes } from "../../../src/access/call.ts";
import type { Deps } from "../../../src/access/deps.ts";
import { call } from "../support/client.ts";
import { outcome } from "../support/outcomes.ts";
import { newKey, newWorld } from "../support/world.ts";
import { type Caller, CALLERS, HOLDERS, PEOPLE, ROLES_OF, SCOPES_OF, TOKENS } from "./callers.ts";
import { personAs, tokenAs } from "./people.ts";
import { filled, isForAgents, isForClients, titled } from "./route.ts";
import { ROUTES } from "./routes.ts";
import { UNKNOWN, unknownIds } from "./unknown.ts";
import { HELPER, PUBLIC, VERBS } from "./verbs.ts";

const needs = (permission: Permission) => `The request needs the permission ${permission}`;

const FOLDER = "../../../src/";
type Verb = (...args: unknown[]) => unknown;
const files = import.meta.glob<Readonly<Record<string, unknown>>>(
  ["../../../src/{management,workflows}/**/*service.ts", "../../../src/workflows/**/lifecycle.ts"],
  { eager: true },
);

/** Returns the functions that a service file exports, by their names. */
const functionsOf = (file: string): [string, Verb][] =>
  Object.entries(files[FOLDER + file] ?? {}).filter(
    (entry): entry is [string, Verb] => typeof entry[1] === "function",
  );

describe("the table VERBS", () => {
  it("has every service file", () => {
    const names = Object.keys(files).map((path) => path.slice(FOLDER.length));
    expect(Object.keys(VERBS).toSorted()).toEqual(names.toSorted());
  });

  it.each(Object.keys(VERBS))("has every function of %s", (file) => {
    const names = functionsOf(file).map(([name]) => name);
    expect(Object.keys(VERBS[file] ?? {}).toSorted()).toEqual(names.toSorted());
  });
});

const user = (caller: keyof typeof ROLES_OF, mfaOverdue = false): UserActor => ({
  kind: "user",
  id: 1,
  email: "somebody@example.com",
  role: ROLES_OF[caller].role,
  projectRoles: new Map<number, Role>(ROLES_OF[caller].there && [[1, ROLES_OF[caller].there]]),
  hiddenProjects: new Set(),
  sessionId: undefined,
  projectId: undefined,
  mfaOverdue,
});
const key = (keyType: "SERVER" | "FRONTEND", canWrite: boolean): Actor => ({
  kind: "key",
  canWrite,
  id: 1,
  name: "a key",
  keyType,
  environmentId: 2,
  projectId: 1,
});
const token = (caller: keyof typeof SCOPES_OF): ActorToken => ({
  id: 1,
  name: "a token",
  scopes: SCOPES_OF[caller],
  projectIds: null,
  environmentIds: null,
});
const ACTORS: Readonly<Record<Caller, Actor>> = {
  VIEWER: user("VIEWER"),
  MEMBER: user("MEMBER"),
  DEVELOPER: user("DEVELOPER"),
  PROJECT_ADMIN: user("PROJECT_ADMIN"),
  ADMIN: user("ADMIN"),
  SERVER: key("SERVER", true),
  READ_ONLY: key("SERVER", false),
  FRONTEND: key("FRONTEND", false),
  READ_TOKEN: { ...user("ADMIN"), token: token("READ_TOKEN") },
  WRITE_TOKEN: { ...user("ADMIN"), token: token("WRITE_TOKEN") },
  APPROVE_TOKEN: { ...user("ADMIN"), token: token("APPROVE_TOKEN") },
  ADMIN_TOKEN: { ...user("ADMIN"), token: token("ADMIN_TOKEN") },
  SERVICE: {
    kind: "service-account",
    id: 1,
    name: "a service account",
    role: "ADMIN",
    projectRoles: new Map(),
    hiddenProjects: new Set(),
    ownProject: 1,
    projectId: 1,
    token: token("SERVICE"),
  },
};

const fail = () => {
  throw new Error("The verb uses the database");
};

describe("a call", () => {
  const deps = {
    db: {} as Deps["db"],
    commit: fail,
    record: fail,
    now: Date.now,
  };
  const ofKey = callBy(deps, ACTORS.SERVER);

  it("has neither a database handle nor a function that writes", () => {
    expect(Object.keys(ofKey).toSorted()).toEqual(["actor", "now"]);
  });

  it("has a function commit in its type only after a check that names the scope", () => {
    expectTypeOf(writes(ofKey, "strategy:write", { projectId: 1 })).toHaveProperty("commit");
    expectTypeOf(reads(ofKey, "strategy:write")).not.toHaveProperty("commit");
    expectTypeOf(reads(ofKey, "flag:read", { projectId: 1 })).not.toHaveProperty("commit");
  });

  it.each([
    ["project", { projectId: 2 }],
    ["environment", { projectId: 1, environmentId: 3 }],
  ])("of an API key of another %s is refused with 403", (name, scope) => {
    expect(() => writes(ofKey, "strategy:write", scope)).toThrow(
      new ApiError("FORBIDDEN", `The API key belongs to another ${name}`),
    );
  });
});

/**
 * Calls a verb without a route. Returns the error with which the verb refuses the actor; undefined
 * if the verb uses the database, or if it fails with another error because its input is empty.
 */
async function refusalOf(verb: Verb, actor: Actor): Promise<string | undefined> {
  let isUsed = false;
  const use = () => {
    isUsed = true;
    throw new Error("The verb uses the database");
  };
  const db = new Proxy({}, { get: use }) as Deps["db"];
  const deps = { db, commit: use, record: use, now: Date.now };
  try {
    await verb(callBy(deps, actor), { request: {} });
  } catch (error) {
    if (error instanceof ApiError && !isUsed && (error.status === 403 || error.status === 401))
      return error.message;
  }
  return undefined;
}

/** The message for a caller without the permission. A key that only lacks `canWrite` is told so. */
function refusalFor(permission: Permission, caller: Caller): string {
  const isReadOnly = caller === "READ_ONLY" && HOLDERS[permission].includes("SERVER");
  return `${needs(permission)}${isReadOnly ? "; the API key can only read" : ""}`;
}

const verbs = Object.entries(VERBS).flatMap(([file, ofFile]) =>
  functionsOf(file).flatMap(([name, verb]) => {
    const permission = ofFile[name];
    return permission === undefined || permission === HELPER || permission === PUBLIC
      ? []
      : [[`${name} of ${file}`, verb, permission] as const];
  }),
);

describe.each(verbs)("the verb %s, called without a route,", (_, verb, permission) => {
  it.each(CALLERS)("checks the permission of the caller %s before it reads", async (caller) => {
    const isHolder = HOLDERS[permission].includes(caller);
    const expected = isHolder ? undefined : refusalFor(permission, caller);
    expect(await refusalOf(verb, ACTORS[caller])).toBe(expected);
  });

  it("refuses an administrator who lacks a required second factor, except for the own account", async () => {
    const required = "A second factor is required; set one up with POST /api/v1/auth/mfa/enroll";
    const expected = permission === "session:own" ? undefined : required;
    expect(await refusalOf(verb, user("ADMIN", true))).toBe(expected);
  });

  it("allows the system, which has no own account", async () => {
    const refusal = await refusalOf(verb, { kind: "system", name: "a job" });
    const isOwn = permission === "session:own" || permission === "token:own";
    expect(refusal === undefined).toBe(!isOwn);
  });
});

const checked = ROUTES.filter(
  ({ path, permission }) => permission !== null && !isForClients(path) && !isForAgents(path),
);

/** A verb that reads before its check returns 404 for unknown ids instead of 403. */
describe("without the check that a route makes before it validates the request", () => {
  const tokens = {} as Record<Caller, string>;
  const check = () => vi.spyOn(checks, "assertAllowed");
  afterEach(() => check().mockRestore());

  beforeAll(async () => {
    const { environmentId, projectId } = await newWorld();
    for (const caller of TOKENS) tokens[caller] = await tokenAs(caller, projectId);
    for (const caller of PEOPLE) tokens[caller] = (await personAs(caller, [projectId])).token;
    for (const type of ["SERVER", "FRONTEND"] as const)
      tokens[type] = (await newKey(environmentId, type)).apiKey;
    tokens.READ_ONLY = (await newKey(environmentId, "SERVER", { canWrite: false })).apiKey;
  });

  it.each(titled(checked))(
    "the verb refuses each caller without the permission of the route: %s",
    async (_, { method, path, permission, query, body, headers }) => {
      const holders = permission === null ? [] : HOLDERS[permission];
      for (const caller of CALLERS.filter((one) => !holders.includes(one))) {
        // The first check of a request is the check of the route.
        check().mockImplementationOnce(() => {});
        const answer = await call(
          method,
          filled(path, [UNKNOWN, UNKNOWN]) + (query?.(unknownIds) ?? ""),
          { token: tokens[caller], body: body?.(unknownIds), headers: headers?.(unknownIds) ?? {} },
        );
        expect([caller, outcome(answer), answer.body.error]).toEqual([
          caller,
          "403 FORBIDDEN",
          permission && refusalFor(permission, caller),
        ]);
      }
    },
  );
});
