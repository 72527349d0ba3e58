import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { defaultStrategy, time } from "../support/shapes.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  newWorld,
  setStrategy,
} from "../support/world.ts";

interface Listed {
  readonly key: string;
}

let projectId: number;
let environmentId: number;
let otherEnvironment: { id: number; name: string };

const keysOf = async (query: string, list = "flags") => {
  const answer = await asAdmin("GET", `/api/v1/${list}?projectId=${projectId}&${query}`);
  if (answer.status !== 200) throw new Error(`${query}: ${answer.status}`);
  return answer.body.items.map(({ key }: Listed) => key);
};

const statusOf = async (query: string) =>
  (await asAdmin("GET", `/api/v1/flags/by-environment${query}`)).status;

beforeAll(async () => {
  projectId = (await newProject()).id;
  environmentId = (await newEnvironment(projectId)).id;
  otherEnvironment = await newEnvironment(projectId);
  const flag = (key: string, more: object) => newFlag(projectId, { key, ...more });
  await flag("checkout.NEW", { name: "Checkout at 100% off", tags: ["team_a"] });
  await flag("search", { name: "Suche für Äpfel 🍎", tags: ["teamXa", "日本"] });
  await flag("kill", { name: 'it\'s \\ a "switch"', flagType: "KILLSWITCH" });
  const old = await flag("old", { name: "Old", tags: ["team_a"] });
  await asAdmin("POST", `/api/v1/flags/${old.id}/archive`);
});

it("sorts names and keys by the number at their end, in both directions", async () => {
  const project = await newProject();
  const largest = "9".repeat(30);
  const numbers = ["7", "load-1", "load-2", "load-10", "load-100", `load-${largest}`, "load-10b"];
  for (const key of numbers.toReversed())
    await newFlag(project.id, { key, name: key.replace("load-2", "LOAD-2") });
  const sorted = async (sort: string) => {
    const { body } = await asAdmin("GET", `/api/v1/flags?projectId=${project.id}&sort=${sort}`);
    return body.items.map(({ key }: Listed) => key);
  };
  for (const by of ["name", "key"]) {
    expect(await sorted(by)).toEqual(numbers);
    expect(await sorted(`-${by}`)).toEqual(numbers.toReversed());
  }
});

describe.each(["flags", "flags/enriched", "flags/by-environment"])(
  "names with letters beyond ASCII in the list GET /api/v1/%s",
  (list) => {
    let scope: string;

    beforeAll(async () => {
      const project = await newProject();
      const environment = await newEnvironment(project.id);
      scope = `projectId=${project.id}&environmentId=${environment.id}`;
      const names = [
        "Zebra",
        "Größe 10",
        "Äpfel",
        "apfel",
        "Größe 9",
        "Ärger",
        "Οδός ΣΑΣ",
        "Яблоко",
      ];
      for (const [n, name] of names.entries())
        await newFlag(project.id, { key: `flag-${n}`, name });
    });

    const namesOf = async (query: string): Promise<string[]> => {
      const { body } = await asAdmin("GET", `/api/v1/${list}?${scope}&${query}`);
      return body.items.map(({ name, flag }: Json) => name ?? flag.name);
    };

    it.each([
      ["GRÖ", ["Größe 10", "Größe 9"]],
      ["äPF", ["Äpfel"]],
      ["σας", ["Οδός ΣΑΣ"]],
      ["ὈΔΌΣ", []],
      ["яБЛ", ["Яблоко"]],
      ["GRÖẞE", ["Größe 10", "Größe 9"]],
      ["абвгдежзийклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψωäöüßéèêàçñ", []],
    ])("are found by %j without regard to case", async (search, found) => {
      expect(await namesOf(`search=${encodeURIComponent(search)}`)).toEqual(found);
    });

    it("are sorted by the rules of Unicode, page by page and in both directions", async () => {
      const sorted = [
        "apfel",
        "Äpfel",
        "Ärger",
        "Größe 9",
        "Größe 10",
        "Zebra",
        "Οδός ΣΑΣ",
        "Яблоко",
      ];
      expect(await namesOf("sort=name")).toEqual(sorted);
      expect(await namesOf("sort=-name")).toEqual(sorted.toReversed());
      expect(await namesOf("sort=name&size=3&page=1")).toEqual(sorted.slice(3, 6));
    });
  },
);

describe.each(["flags", "flags/enriched", "flags/by-environment"])(
  "the list GET /api/v1/%s",
  (list) => {
    const keys = (query: string) => keysOf(`environmentId=${environmentId}&${query}`, list);

    it.each([
      ["CHECKOUT", ["checkout.NEW"]],
      ["check", ["checkout.NEW"]],
      ["off", ["checkout.NEW"]],
      ["%", ["checkout.NEW"]],
      ["100%", ["checkout.NEW"]],
      ["_", []],
      [".", ["checkout.NEW"]],
      ["Äpfel", ["search"]],
      ["🍎", ["search"]],
      ["'s \\", ["kill"]],
      ['"', ["kill"]],
      ["nothing", []],
      ["x".repeat(200), []],
      ["\u0000", []],
    ])(
      "finds flags whose key or name contains the text %j, without wildcards",
      async (text, found) => {
        expect(await keys(`search=${encodeURIComponent(text)}`)).toEqual(found);
      },
    );

    it.each([
      ["team_a", ["checkout.NEW"]],
      ["teamXa", ["search"]],
      ["team", []],
      ["%", []],
      ["日本", ["search"]],
    ])("finds flags by the whole tag %j, without wildcards", async (tag, found) => {
      expect(await keys(`tag=${encodeURIComponent(tag)}`)).toEqual(found);
    });

    it("filters by flagType, alone and combined with other filters", async () => {
      expect(await keys("flagType=KILLSWITCH")).toEqual(["kill"]);
      expect(await keys("flagType=RELEASE&tag=team_a&includeArchived=true")).toEqual([
        "checkout.NEW",
        "old",
      ]);
      expect(await keys("flagType=RELEASE&search=kill")).toEqual([]);
    });
  },
);

describe("flags in GET /api/v1/flags/by-environment", () => {
  it("have their strategy in the given environment, or the default strategy if none is set", async () => {
    const flag = await newFlag(projectId);
    await setStrategy(flag.id, { environmentId: otherEnvironment.id, percentage: 25 });
    const read = async (id: number) => {
      const path = `/api/v1/flags/by-environment?environmentId=${id}&search=${flag.key}`;
      return (await asAdmin("GET", path)).body.items;
    };
    const [here] = await read(environmentId);
    const { strategy, ...rest } = here;
    const { requiredBy, ...listed } = (await asAdmin("GET", `/api/v1/flags/${flag.id}`)).body;
    expect([rest, requiredBy]).toEqual([listed, []]);
    expect(strategy).toMatchObject({ ...defaultStrategy, flagId: flag.id, environmentId });
    const [there] = await read(otherEnvironment.id);
    expect(there.strategy).toMatchObject({ percentage: 25, version: 1 });
  });

  it("return 404 for an unknown environment, and 400 for a missing or invalid environment", async () => {
    expect([await statusOf(""), await statusOf("?environmentId=x")]).toEqual([400, 400]);
    expect(await statusOf("?environmentId=999999")).toBe(404);
  });

  it("returns 404 for an environment of another project than `projectId`", async () => {
    const other = await newProject();
    const query = `?environmentId=${environmentId}`;
    expect(await statusOf(`${query}&projectId=${projectId}`)).toBe(200);
    expect(await statusOf(`${query}&projectId=${other.id}`)).toBe(404);
  });
});

describe("a list that would take more than 3 MB returns 400 before its rows are read", () => {
  const run = (statement: string, ...values: unknown[]) =>
    env.DB.prepare(statement)
      .bind(...values)
      .run();
  /** An SQL expression for a text of 340 KB. */
  const LONG = "hex(zeroblob(170000))";
  const list = (path: string) => asAdmin("GET", `/api/v1/${path}`);

  // The files share a database, and some read the lists of all projects.
  afterEach(async () => {
    await run("DELETE FROM strategies WHERE length(constraints) > 300000");
    await run(
      "UPDATE flags SET value_type = 'boolean', variants = NULL WHERE length(variants) > 300000",
    );
    await run("UPDATE segments SET constraints = '[]' WHERE length(constraints) > 300000");
    for (const table of Object.keys(OF_ALL_PROJECTS))
      await run(`DELETE FROM ${table} WHERE length(name) > 300000`);
  });

  /** The tables with lists of all projects: their lists, and how to fill one with nine long names. */
  const OF_ALL_PROJECTS: Readonly<Record<string, readonly [string, string]>> = {
    tags: ["tags", "(project_id, name, color, created_at) SELECT ?1, name, '#000000', 0"],
    context_definitions: [
      "contexts",
      "(project_id, name, context_key, context_type, created_at) SELECT ?1, name, name, 'string', 0",
    ],
    api_keys: [
      "api-keys",
      `(environment_id, name, key_type, hash, preview, created_at)
        SELECT (SELECT id FROM environments WHERE project_id = ?1), name, 'SERVER', name, 'x', 0`,
    ],
    integrations: [
      "integrations",
      `(project_id, name, enabled, type, url, secret, headers, events, created_at, updated_at)
        SELECT ?1, name, 0, 'custom_webhook', '', '', '{}', '[]', 0, 0`,
    ],
  };

  it.each(Object.entries(OF_ALL_PROJECTS))("with the %s of all projects", async (table, of) => {
    const [path, insert] = of;
    const { id } = await newProject();
    await newEnvironment(id);
    const names = `(SELECT ${LONG} || value AS name FROM json_each('[1,2,3,4,5,6,7,8,9]'))`;
    await run(`INSERT INTO ${table} ${insert} FROM ${names}`, id);
    const answer = await list(path);
    expect(outcome(answer)).toBe("400 BAD_REQUEST");
    expect(answer.body.error).toContain("name a project with projectId");
    const other = await newProject();
    expect(outcome(await list(`${path}?projectId=${other.id}`))).toBe("200");
  });

  it("if the rules of flags in all environments take the space", async () => {
    const { id } = await newProject();
    const flag = await newFlag(id);
    for (let n = 0; n < 9; n++) await newEnvironment(id);
    await run(
      `INSERT INTO strategies (flag_id, environment_id, enabled, percentage, constraints, version,
        updated_at) SELECT ?, id, 1, 100, '["' || ${LONG} || '"]', 1, 1
        FROM environments WHERE project_id = ?`,
      flag.id,
      id,
    );
    const enriched = await list(`flags/enriched?projectId=${id}`);
    expect(outcome(enriched)).toBe("400 BAD_REQUEST");
    expect(enriched.body.error).toMatch(/takes 30600\d\d bytes, more than 3000000; ask for a sm/);
    const strategies = await list(`flags/${flag.id}/strategies`);
    expect(outcome(strategies)).toBe("400 BAD_REQUEST");
    expect(strategies.body.error).toContain("read one environment with GET");
    expect(outcome(await list(`flags?projectId=${id}`))).toBe("200");
  });

  it("if the values of flags take the space", async () => {
    const { id } = await newProject();
    for (let n = 0; n < 9; n++) await newFlag(id);
    const variants = `'[{"key":"a","value":"' || ${LONG} || '"}]'`;
    await run(
      `UPDATE flags SET value_type = 'string', variants = ${variants} WHERE project_id = ?`,
      id,
    );
    for (const path of ["flags", "flags/enriched"]) {
      const all = await list(`${path}?projectId=${id}`);
      expect([outcome(all), all.body.error]).toEqual([
        "400 BAD_REQUEST",
        expect.stringContaining("ask for a smaller size"),
      ]);
      expect((await list(`${path}?projectId=${id}&size=8`)).body.items).toHaveLength(8);
    }
  });

  it("if constraints of segments take the space; pages of the same segments return 200", async () => {
    const { id } = await newProject();
    for (let n = 0; n < 9; n++) await newSegment(id, []);
    const values = Array.from({ length: 670 }, () => "x".repeat(500));
    const constraints = [inCountries(...values)];
    await run(
      "UPDATE segments SET constraints = ? WHERE project_id = ?",
      JSON.stringify(constraints),
      id,
    );
    const all = await list(`segments?projectId=${id}`);
    expect(outcome(all)).toBe("400 BAD_REQUEST");
    expect(all.body.error).toContain("ask for pages with page and size");
    const pages = [];
    for (const page of [0, 1, 2])
      pages.push(await list(`segments?projectId=${id}&size=8&page=${page}`));
    expect(pages.map(({ body }) => body.length)).toEqual([8, 1, 0]);
    expect(pages.map(({ headers }) => headers.get("X-Total-Count"))).toEqual(["9", "9", "9"]);
  });

  it("if the contents of audit records take the space", async () => {
    const { id } = await newProject();
    await run(
      `INSERT INTO audit (at, category, action, actor_kind, actor_id, actor_name, entity_type,
        entity_id, project_id, reason, after, trace_id)
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
        SELECT i, 'change', 'flag.created', 'system', NULL, 'system', 'flag', i, ?, 'large',
          '{"name":"' || hex(zeroblob(16000)) || '"}', 'x' FROM n`,
      id,
    );
    for (const search of ["", "&q=large"]) {
      const path = `audit?projectId=${id}&action=flag.created${search}`;
      const all = await list(`${path}&size=200`);
      expect([outcome(all), all.body.error]).toEqual([
        "400 BAD_REQUEST",
        expect.stringMatching(/more than 3000000; ask for a smaller size$/),
      ]);
      expect((await list(`${path}&size=110&page=1`)).body.items).toHaveLength(20);
      expect((await list(`${path}&size=90`)).body.items).toHaveLength(90);
    }
    await run("DELETE FROM audit WHERE project_id = ?", id);
  });
});

describe("a flag in GET /api/v1/flags/enriched", () => {
  it("has its segments, its tags, the context definitions that its constraints use, and all environments of its project", async () => {
    await env.DB.prepare(
      `INSERT INTO context_definitions (project_id, name, context_key, context_type, created_at)
       VALUES (?, 'Country', 'country', 'string', 0), (?, 'Plan', 'plan', 'string', 0),
       (?, 'Unused', 'unused', 'string', 0)`,
    )
      .bind(projectId, projectId, projectId)
      .run();
    const segment = await newSegment(projectId, [{ ...inCountries("pro"), field: "plan" }]);
    await newSegment(projectId, []);
    const flag = await newFlag(projectId, { tags: ["enriched"] });
    const set = await setStrategy(flag.id, {
      environmentId,
      constraints: [inCountries("de")],
      segmentIds: [segment.id],
    });
    const path = `/api/v1/flags/enriched?search=${flag.key}`;
    const [item] = (await asAdmin("GET", path)).body.items;
    const tag = { id: expect.any(Number), name: "enriched", color: expect.any(String) };
    const context = { id: expect.any(Number), contextType: "string" };
    expect(item).toEqual({
      ...flag,
      updatedAt: time,
      lastChange: {
        at: time,
        actor: { kind: "user", id: expect.any(Number), name: expect.any(String) },
      },
      segments: [segment],
      tags: [{ ...tag, value: "enriched" }],
      contexts: [
        { ...context, name: "Country", contextKey: "country" },
        { ...context, name: "Plan", contextKey: "plan" },
      ],
      environments: [
        { id: environmentId, name: expect.any(String), production: false, strategy: set },
        {
          id: otherEnvironment.id,
          name: otherEnvironment.name,
          production: false,
          strategy: expect.objectContaining(defaultStrategy),
        },
      ],
    });
  });

  it("has the last actor who changed the flag or one of its strategies, and hides the names of users from API keys", async () => {
    const world = await newWorld();
    const ann = await person("DEVELOPER");
    const flag = await newFlag(world.projectId);
    const path = `/api/v1/flags/enriched?projectId=${world.projectId}`;
    const actorFor = async (token?: string) => {
      const answer = await (token === undefined
        ? asAdmin("GET", path)
        : call("GET", path, { token }));
      return answer.body.items[0].lastChange.actor;
    };
    const body = { environmentId: world.environmentId, enabled: true };
    const change = (token: string) =>
      call("PUT", `/api/v1/flags/${flag.id}/strategies`, { token, body });

    expect((await change(ann.token)).status).toBe(200);
    expect(await actorFor()).toEqual({ kind: "user", id: ann.id, name: "DEVELOPER" });
    expect(await actorFor(world.apiKey)).toEqual({ kind: "user", id: ann.id, name: null });

    body.enabled = false;
    expect((await change(world.apiKey)).status).toBe(200);
    const byKey = { kind: "key", id: expect.any(Number), name: expect.any(String) };
    expect(await actorFor()).toEqual(byKey);
    expect(await actorFor(world.apiKey)).toEqual(byKey);
  });

  it("has `lastChange: null` if the flag has no audit record, and ignores records of other resources with its id", async () => {
    const { id: project } = await newProject();
    const flag = await newFlag(project);
    await env.DB.prepare("DELETE FROM audit WHERE entity_type = 'flag' AND entity_id = ?")
      .bind(flag.id)
      .run();
    await env.DB.prepare(
      `INSERT INTO audit (at, category, action, actor_kind, actor_name, entity_type, entity_id, trace_id)
        SELECT updated_at, 'change', 'tag.created', 'system', 'system', 'tag', id, 't' FROM flags WHERE id = ?`,
    )
      .bind(flag.id)
      .run();
    const { body } = await asAdmin("GET", `/api/v1/flags/enriched?projectId=${project}`);
    expect(body.items).toMatchObject([{ id: flag.id, lastChange: null }]);
  });
});
