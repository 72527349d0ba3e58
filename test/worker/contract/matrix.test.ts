import { beforeAll, describe, expect, it } from "vitest";
import { api } from "../../../src/api.ts";
import { app } from "../../../src/app.ts";
import { outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { newEnvironment, newKey, newWorld } from "../support/world.ts";
import { type Caller, CALLERS, HOLDERS, KEYS, PEOPLE, ROLES_OF, TOKENS } from "./callers.ts";
import { personAs, tokenAs } from "./people.ts";
import { everything, type Known } from "./known.ts";
import { filled, isForAgents, isForClients, properly, type Route, titled } from "./route.ts";
import { ROUTES } from "./routes.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const ODD_IDS = ["0", "-1", "1.5", "x", "9007199254740993"];
const unknown = (path: string) => filled(path, [999_999_999, 999_999_999]);
const methodOf = ({ method }: Route) => method;

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path);
}

interface Described {
  readonly method: string;
  readonly path: string;
  readonly "x-permission"?: unknown;
}

const isMachine = (caller: Caller): caller is Exclude<Caller, keyof typeof ROLES_OF> =>
  !(caller in ROLES_OF);
/**
 * Returns the options of a request with a malformed JSON body; a GET has no body. A 401 or 403 then
 * shows that the permission is checked before the body.
 */
const wrong = (method: string) => (method === "GET" ? {} : { body: "{" });

let known: Known;
const tokens = {} as Record<Caller, string>;
/** SERVER keys that do not belong to the environment in `known`. */
const foreign = { project: "", environment: "" };

/** A valid token of the caller. Each user has an own session, because the logout ends it. */
const tokenOf = async (caller: Caller): Promise<string> =>
  isMachine(caller) ? tokens[caller] : (await personAs(caller, [known.projectId])).token;

beforeAll(async () => {
  known = await everything();
  for (const caller of PEOPLE) tokens[caller] = (await personAs(caller, [known.projectId])).token;
  for (const caller of TOKENS) tokens[caller] = await tokenAs(caller, known.projectId);
  for (const type of ["SERVER", "FRONTEND"] as const)
    tokens[type] = (await newKey(known.environmentId, type)).apiKey;
  tokens.READ_ONLY = (await newKey(known.environmentId, "SERVER", { canWrite: false })).apiKey;
  foreign.project = (await newWorld()).apiKey;
  foreign.environment = (await newKey((await newEnvironment(known.projectId)).id)).apiKey;
});

describe("the table ROUTES", () => {
  const names = ROUTES.map(({ name }) => name).toSorted();

  it("has every route of the API description, with its permission", () => {
    const described = api.openAPIRegistry.definitions.flatMap((definition) => {
      if (definition.type !== "route") return [];
      const { method, path, "x-permission": permission } = definition.route as Described;
      return [[`${method.toUpperCase()} ${path}`, permission] as const];
    });
    const classified = ROUTES.map(({ name, permission }) => [name, permission] as const);
    expect(new Map(described)).toEqual(new Map(classified));
    expect(described).toHaveLength(names.length);
  });

  // The second root of the API of Unleash has the routes of the first.
  it("has every route below /api, /.well-known and /actuator, described or not", () => {
    const taken = [...app.routes, ...api.routes]
      .filter(
        ({ method, path }) => method !== "ALL" && /^\/(?:api|\.well-known|actuator)\b/.test(path),
      )
      .filter(({ path }) => !path.startsWith("/api/unleash/api/"))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    expect([...new Set(taken)].toSorted()).toEqual(names);
  });
});

it.each(titled(ROUTES.filter(({ method }) => method !== "GET")))(
  "a request with a body above 1 MiB returns 400, or 413 from an agent: %s",
  async (_, { path, method }) => {
    const token = isForAgents(path)
      ? tokens.WRITE_TOKEN
      : isForClients(path)
        ? tokens.SERVER
        : tokens.ADMIN;
    const answer = await call(method, unknown(path), { token, body: " ".repeat(1_048_577) });
    expect(outcome(answer)).toBe(isForAgents(path) ? "413 BAD_REQUEST" : "400 BAD_REQUEST");
  },
);

describe.each(titled(ROUTES.filter(({ permission }) => permission === null)))(
  "the public route %s",
  (_, route) => {
    it("returns 200, 202 or a redirect without a token", async () => {
      expect([200, 202, 302]).toContain((await call(...properly(route, known))).status);
    });
  },
);

const closed = ROUTES.filter(({ permission }) => permission !== null);

/**
 * Returns what a management route that SERVER keys may call returns to a SERVER key of another
 * project, and to one of another environment of the project. A key reads everything in its project,
 * and writes only in its environment. A request without an id lists what the key may read.
 */
function foreignOutcomes({ path, permission, ids, query, inOwnEnvironment = false }: Route) {
  if (
    permission === null ||
    isForClients(path) ||
    isForAgents(path) ||
    !HOLDERS[permission].includes("SERVER")
  )
    return [];
  const writes = permission === "strategy:write" || inOwnEnvironment;
  const isNamed = writes || ids !== undefined || query !== undefined;
  return [
    ["project", isNamed ? "403 FORBIDDEN" : "2.."],
    ["environment", writes ? "403 FORBIDDEN" : "2.."],
  ] as const;
}

/** The outcomes that a call can have after it has passed the permission check. */
const OPEN = /^(?:2\d\d|404 NOT_FOUND)$/;
const OPEN_IN_A_STATE = /^(?:2\d\d|400 VALIDATION_ERROR|404 NOT_FOUND|409 CONFLICT)$/;

describe.each(titled(closed))("the protected route %s", (_, route) => {
  const { method, path, permission, body, query } = route;
  const target = unknown(path);
  const accepted: readonly Caller[] = isForClients(path)
    ? KEYS
    : isForAgents(path)
      ? TOKENS
      : CALLERS;
  const holders =
    permission === null ? [] : HOLDERS[permission].filter((caller) => accepted.includes(caller));
  const others = CALLERS.filter((caller) => !holders.includes(caller));
  const errorOf = (caller: Caller) =>
    accepted.includes(caller) ? "403 FORBIDDEN" : "401 UNAUTHORIZED";

  it("returns 401 without a token or with an invalid token, even if the body is malformed JSON and the ids are unknown", async () => {
    for (const token of [undefined, "nonsense", "a.b.c", "x".repeat(64)]) {
      const answer = await call(method, target, { token, ...wrong(method) });
      expect(outcome(answer)).toBe("401 UNAUTHORIZED");
    }
  });

  it.each(others)(
    "rejects the caller %s, even if the body is malformed JSON and the ids are unknown",
    async (caller) => {
      const answer = await call(method, target, { token: tokens[caller], ...wrong(method) });
      expect(outcome(answer)).toBe(errorOf(caller));
    },
  );

  it.each(holders)("allows the caller %s", async (caller) => {
    const answer = await call(method, target + (query?.(known) ?? ""), {
      token: await tokenOf(caller),
      body: body?.({ ...known, unique: crypto.randomUUID() }),
      headers: route.headers?.(known) ?? {},
    });
    expect(outcome(answer)).toMatch(route.token ? OPEN_IN_A_STATE : OPEN);
  });

  it.each(foreignOutcomes(route))(
    "gives a SERVER key of another %s the outcome %s",
    async (other, expected) => {
      const [, full, options] = properly(route, known);
      const answer = await call(method, full, { ...options, token: foreign[other] });
      expect(outcome(answer)).toMatch(new RegExp(`^${expected}$`));
    },
  );
});

/** A stop URL returns the same for every token, and a callback redirects in any case. */
const identified = ROUTES.filter(
  ({ ids, path }) => ids !== undefined && !/(?:\{token\}|\/callback)$/.test(path),
);

describe.each(titled(identified))("the route %s", (_, route) => {
  const send = (path: string) =>
    call(route.method, path, {
      token: isForClients(path) ? tokens.SERVER : tokens.ADMIN,
      body: route.body?.(known),
      headers: route.headers?.(known) ?? {},
    });

  it("returns 404 for an unknown id", async () => {
    expect(outcome(await send(unknown(route.path)))).toBe("404 NOT_FOUND");
  });

  // Any text is a valid session id, metric name, flag key, slug or identity, so these routes have no
  // invalid ids.
  const odd = /\{(?:sessionId|name|key|slug|identityId)\}/.test(route.path) ? [] : ODD_IDS;
  it.each(odd)("returns 400 for the id %s", async (id) => {
    expect(outcome(await send(filled(route.path, [id, id])))).toBe("400 BAD_REQUEST");
  });
});

describe.each([...new Set(ROUTES.map(({ path }) => path))])("the path %s", (path) => {
  const target = unknown(path);
  // The path `/flags/by-environment` also matches `/flags/{id}`, so it has the methods of both
  // routes.
  const methods = new Set(ROUTES.filter((route) => matches(route.path, target)).map(methodOf));

  it.each(METHODS.filter((method) => !methods.has(method)))(
    "returns 405 with the header Allow for the method %s",
    async (method) => {
      const allowed = methods.has("GET") ? [...methods, "HEAD"] : [...methods];
      for (const token of [undefined, tokens.ADMIN]) {
        const answer = await call(method, target, { token });
        expect(outcome(answer)).toBe("405 METHOD_NOT_ALLOWED");
        const allow = answer.headers.get("Allow")?.split(", ") ?? [];
        expect(allow.toSorted()).toEqual(allowed.toSorted());
      }
    },
  );
});
