import { QUOTAS } from "../../src/db/quota.ts";
import type { Session } from "../../scripts/lib/api.ts";
import { cycles, files } from "./files.ts";
import { type Flag, type Kind, newFlag, type Sent, times, type World } from "./kind.ts";
import { inOrder } from "../../scripts/lib/in-order.ts";

/** The longest text of a context, and as many fields as fit into one. */
const TEXT = 4096;
const FIELDS = times(15, (n) => `f${n}`);

/** The requests of SDKs that read everything. The second evaluation finds the rules compiled. */
function reads({ projectId, key }: World, session: Session, text: string): Sent[] {
  const context = Object.fromEntries(FIELDS.map((field) => [field, text]));
  const body = JSON.stringify({ context });
  const evaluate = { method: "POST", token: key, body } as const;
  return [
    { name: "features", path: "/api/client/features", token: key },
    { ...evaluate, name: "evaluate", path: "/api/client/evaluate" },
    { ...evaluate, name: "OFREP", path: "/api/ofrep/v1/evaluate/flags" },
    ...["flags?size=200", "environments?", "audit?size=90"].map((list) => ({
      name: `list ${list}`,
      path: `/api/v1/${list}&projectId=${projectId}`,
      token: session.token,
    })),
  ];
}

interface Constraint {
  readonly operator: string;
  readonly contextType: string;
  readonly values: readonly string[];
}

/** The most bytes of the constraints of one strategy, less what their fields take. */
const CONSTRAINTS_BYTES = 255_000;
/** The number of strategies with so many constraints that fit into the rules of an environment. */
const STRATEGIES = Math.floor(QUOTAS.RULE_BYTES / (CONSTRAINTS_BYTES + 3_000));
/** The number of strategies or segments with so many constraints that fit into a list (3 MB). */
const LISTED = 11;
/** The number of such strategies that one list of operations may read (1 MB). */
const CHANGED = 3;

/** Returns constraints that fill a strategy. None holds, so an evaluation tests all of them. */
function constraintsOf(constraint: (n: number) => Constraint) {
  const one = (n: number) => ({ field: FIELDS[n % 15], inverted: true, ...constraint(n) });
  const bytes = JSON.stringify(one(0)).length + 20;
  return times(Math.min(50, Math.floor(CONSTRAINTS_BYTES / bytes)), one);
}

interface Filling {
  readonly name: string;
  /** The text in each field of the context. */
  readonly text: string;
  readonly count: number;
  readonly flag?: object;
  /** Returns the nth strategy. */
  readonly strategy: (n: number) => object;
}

/** Fills the rules of an environment with strategies. */
const filled = ({ name, text, count, flag = {}, strategy }: Filling): Kind => ({
  name,
  create: async (session, world) => {
    const { environmentId } = world;
    const change = (n: number) => ({
      environmentId,
      enabled: true,
      percentage: 100,
      ...strategy(n),
    });
    const flags = await inOrder(times(count, Number), async (n) => {
      const { id } = await newFlag(session, world, `flag-${n}`, flag);
      await session.put(`/flags/${id}/strategies`, change(n));
      return id;
    });
    const path = `/api/v1/flags/${flags[0]}/strategies`;
    const body = JSON.stringify(change(99));
    const { token } = session;
    return [
      { name: "set a strategy", method: "PUT", path, token, body },
      ...reads(world, session, text),
    ];
  },
});

/** Fills the rules of an environment with one kind of constraint. */
const rulesOf = (name: string, text: string, constraint: (n: number) => Constraint): Kind =>
  filled({
    name,
    text,
    count: STRATEGIES,
    strategy: (flag) => ({ constraints: constraintsOf((n) => constraint(flag * 50 + n)) }),
  });

const many = (values: (n: number) => string) => times(900, values);
const text = (n: number) => n.toString(36).padStart(4, "0");

const texts = (n: number): Constraint => ({
  operator: "in",
  contextType: "string",
  values: many((value) => text(n * 900 + value)),
});

/**
 * The largest strategy: 50 rules, each with a name and a split among 50 variants, and as many
 * constraints as a strategy and its rules may have together. No rule applies, so an evaluation tests
 * all of them.
 */
function rules(): Kind {
  const variants = times(50, (n) => ({ key: `variant-${n}`, value: `${n}` }));
  const weights = Object.fromEntries(variants.map(({ key }) => [key, 2]));
  const part = (n: number) => ({
    ...texts(n),
    field: FIELDS[n % 15],
    values: times(440, (value) => `${text(n)}${text(value)}`),
  });
  const rule = (n: number) => ({
    name: `${n}`.padEnd(100, "x"),
    constraints: [part(n)],
    serve: { weights },
  });
  return filled({
    name: "rules",
    text: "a".repeat(TEXT),
    count: 1,
    flag: { valueType: "string", variants },
    strategy: (n) => ({
      constraints: [part(n)],
      serve: { weights },
      rules: times(50, (one) => rule(n * 50 + one)),
    }),
  });
}

/** Flags of which each needs ten flags with costly rules. */
const prerequisites: Kind = {
  name: "prerequisites",
  create: async (session, world) => {
    const { environmentId, projectId } = world;
    const needed = await inOrder(times(10, Number), async (n) => {
      const { id } = await newFlag(session, world, `needed-${n}`);
      const values = many((value) => `aa${text(n * 900 + value)}`);
      const constraints = constraintsOf(() => ({
        operator: "contains",
        contextType: "string",
        values,
      })).slice(0, 3);
      await session.put(`/flags/${id}/strategies`, { environmentId, enabled: true, constraints });
      return { flagKey: `needed-${n}`, enabled: false };
    });
    await inOrder(times(12, Number), (list) => {
      const operations = times(190, (n) => {
        const key = `flag-${list}-${n}`;
        const input = { key, name: key, flagType: "RELEASE", prerequisites: needed };
        return { kind: "flag.create", input };
      });
      return session.post("/operations", { projectId, operations });
    });
    return reads(world, session, "a".repeat(TEXT));
  },
};

/** The largest lists: segments, and the strategies of a flag in several environments. */
const lists: Kind = {
  name: "lists",
  create: async (session, world) => {
    const { projectId } = world;
    const { token } = session;
    const { id: flagId } = await newFlag(session, world, "flag");
    const environmentIds = await inOrder(times(LISTED, Number), async (n) => {
      const name = `environment-${n}`;
      const { id } = await session.post<Flag>("/environments", { name, projectId });
      const constraints = constraintsOf(() => texts(n));
      await session.put(`/flags/${flagId}/strategies`, { environmentId: id, constraints });
      await session.post("/segments", { projectId, name: `segment-${n}`, constraints });
      return id;
    });
    const operations = environmentIds.slice(0, CHANGED).map((environmentId) => ({
      kind: "strategy.set",
      target: { flagKey: "flag", environmentId },
      input: { constraints: [], rules: [] },
    }));
    return [
      ...["segments?", `flags/${flagId}/strategies?`, "flags/enriched?size=200"].map((list) => ({
        name: list,
        path: `/api/v1/${list}&projectId=${projectId}`,
        token,
      })),
      {
        name: "operations",
        method: "POST",
        path: "/api/v1/operations",
        token,
        body: JSON.stringify({ projectId, dryRun: true, operations }),
      },
    ];
  },
};

/** Flags with the largest values. */
const values: Kind = {
  name: "values",
  create: async (session, world) => {
    const variants = times(4, (n) => ({ key: `v${n}`, value: `${n}${"é".repeat(32_000)}` }));
    await inOrder(times(STRATEGIES - 1, Number), (n) =>
      newFlag(session, world, `flag-${n}`, { valueType: "string", variants }),
    );
    return reads(world, session, "a");
  },
};

/** The longest check of values that the limits on schemas allow. */
const schemas: Kind = {
  name: "schemas",
  create: async (session, world) => {
    const { token } = session;
    const list = times(10_000, Number);
    const object = Object.fromEntries(list.slice(0, 5_000).map((n) => [`k${n}`, n]));
    const cases: Record<string, readonly [object, unknown]> = {
      "many schemas": [{ items: { allOf: times(290, () => ({ minimum: 0 })) } }, list],
      "many numbers": [{ items: { enum: times(590, (n) => n + 100) } }, times(10_000, () => 689)],
      decimals: [
        { items: { anyOf: [...times(290, (n) => ({ minimum: 2e4 + n / 7 })), {}] } },
        list,
      ],
      uniqueItems: [{ uniqueItems: true, items: { allOf: times(290, () => ({})) } }, list],
      properties: [{ additionalProperties: { allOf: times(250, () => ({ minimum: 0 })) } }, object],
      pattern: [{ pattern: "(é?){150}é{20}$" }, "é".repeat(30_000)],
      not: [{ items: { not: { anyOf: times(34, () => ({ enum: times(20, () => -1) })) } } }, list],
    };
    const { id } = await newFlag(session, world, "flag", {
      valueType: "json",
      variants: [{ key: "v", value: 1 }],
    });
    return Object.entries(cases).map(([name, [valueSchema, value]]) => ({
      name,
      method: "PUT" as const,
      path: `/api/v1/flags/${id}?dryRun=true`,
      token,
      body: JSON.stringify({ valueSchema, variants: [{ key: "v", value }] }),
    }));
  },
};

/** A page of the largest audit records. */
const records: Kind = {
  name: "audit records",
  create: async (session, world) => {
    const content = (n: number) => ({
      valueType: "string",
      variants: times(50, (one) => ({ key: `v${one}`, value: `${n} `.repeat(100) })),
    });
    const { id } = await newFlag(session, world, "changed", content(0));
    await inOrder(times(200, Number), (n) => session.put(`/flags/${id}`, content(n + 1)));
    return reads(world, session, "a");
  },
};

/** The largest requests that a key may send. */
const requests: Kind = {
  name: "requests",
  create: async (_, { key: token }) => {
    const post = { method: "POST", token } as const;
    const counts = times(10_000, (n) => [`flag-${n}`, { t: n, f: 1, variants: { a: 1, b: 2 } }]);
    const deep = JSON.stringify(times(90_000, () => [[[]]]));
    return [
      {
        ...post,
        name: "usage report",
        path: "/api/client/metrics",
        body: JSON.stringify({
          appName: "a",
          instanceId: "b",
          evaluations: Object.fromEntries(counts),
        }),
      },
      { ...post, name: "wrong body", path: "/api/client/evaluate", body: deep },
      { ...post, name: "wrong context", path: "/api/client/evaluate", body: `{"context":${deep}}` },
    ];
  },
};

export const KINDS: readonly Kind[] = [
  rulesOf("contains", "a".repeat(TEXT), (n) => ({
    operator: "contains",
    contextType: "string",
    values: many((value) => `aa${text(n * 900 + value)}`),
  })),
  rulesOf("in", "a".repeat(TEXT), texts),
  rulesOf("versions", `1.0.0-${"a.".repeat(120)}a`, () => ({
    operator: "gt",
    contextType: "semver",
    values: ["9.9.9"],
  })),
  rulesOf("IP blocks", "1.1.1.200", (n) => ({
    operator: "in",
    contextType: "ip",
    values: many((value) => `10.${n % 250}.${Math.floor(value / 250)}.${value % 250}/31`),
  })),
  rulesOf("expressions", "x".repeat(TEXT), (n) => ({
    operator: "matches",
    contextType: "string",
    values: [`(x?){${9 + (n % 2)}}x{10}z`],
  })),
  rules(),
  prerequisites,
  lists,
  values,
  schemas,
  records,
  requests,
  cycles,
  files,
];
