import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { runDue } from "../../../src/jobs/schedule/run-due.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { act, approve, as, type As, opened, REASON, REQUESTS } from "../support/change-requests.ts";
import { call, type Json } from "../support/client.ts";
import {
  apply,
  applyPlan,
  CART,
  fileOf,
  FLAG,
  flagOf,
  inProduction,
  managersOf,
  newShop,
  paths,
  plan,
  PRODUCTION,
  type Shop,
  strategyOf,
} from "../support/files.ts";
import { Mailbox } from "../support/mailbox.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";

let asReviewer: As;
beforeAll(async () => {
  asReviewer = as((await person("DEVELOPER")).token);
});
afterEach(() => {
  vi.useRealTimers();
});

const protect = async ({ production }: Shop) => {
  const path = `/api/v1/environments/${production}/protection`;
  expect((await asAdmin("PUT", path, { requiredApprovals: 1 }, REASON)).status).toBe(200);
};

/** Creates a project to which a file was applied, before its production was protected. */
async function protectedShop(file: object) {
  const shop = await newShop();
  expect(outcome(await apply(shop, file))).toBe("200");
  await protect(shop);
  return shop;
}

/** Plans a file and applies it, which must open a change request. Returns the request. */
async function proposed(shop: Shop, file: object, more: object = {}): Promise<Json> {
  const { status, body } = await apply(shop, file, more);
  expect(status).toBe(202);
  return body;
}

const applied = async (request: Json) => {
  expect((await approve(asReviewer, request)).status).toBe(200);
  expect(outcome(await act(asAdmin, "apply", request))).toBe("200");
};
const edited = async (request: Json, change: object): Promise<Json> => {
  const headers = { "If-Match": `"${request["hash"]}"` };
  const { status, body } = await asAdmin("PUT", `${REQUESTS}/${request["id"]}`, change, headers);
  expect(status).toBe(200);
  return body;
};

/** The places of the changes and of the conflicts of a plan. */
const planned = async (shop: Shop, file: object) => {
  const { body } = await plan(shop, file);
  return { changes: paths(body.changes), conflicts: paths(body.conflicts) };
};
const bypassing = ({ production }: Shop, flagId: number, input: object) =>
  asAdmin(
    "PUT",
    `/api/v1/flags/${flagId}/strategies`,
    { environmentId: production, ...input },
    { ...REASON, "X-Approval-Bypass": "true" },
  );

describe("the change request of an apply", () => {
  it("is one for the plan, and the file then owns what it has written and releases the rest", async () => {
    const serve = (blue: number) => ({ serve: { weights: { blue, red: 100 - blue } } });
    const shop = await protectedShop(inProduction({ enabled: true, percentage: 5, ...serve(50) }));
    const rules = [{ id: "new", percentage: 5 }];
    const file = inProduction({ enabled: true, ...serve(70), rules });
    const source = { repository: "https://example.com/shop", commit: "1b2c3d4" };
    const request = await proposed(shop, file, source);
    expect((await proposed(shop, file, source)).id).toBe(request.id);
    await applied(request);
    const { rules: written, serve: served } = await strategyOf(shop, "colour");
    expect([written[0].id, served.weights]).toEqual(["new", { blue: 70, red: 30 }]);
    expect(await planned(shop, file)).toEqual({ changes: [], conflicts: [] });
    const next = inProduction({ enabled: true, ...serve(80), rules });
    expect(await planned(shop, next)).toEqual({
      changes: [`${PRODUCTION}/serve`],
      conflicts: [],
    });
    const { id } = await flagOf(shop, "colour");
    const { related } = (await asAdmin("GET", `/api/v1/flags/${id}?related=true`)).body;
    expect(related.managedBy).toContainEqual({
      environmentId: shop.production,
      manager: "file",
      fields: ["enabled", "serve", "rules"],
      ...source,
    });
    const { items } = (await asAdmin("GET", `/api/v1/audit?projectId=${shop.id}&size=1`)).body;
    expect(items[0]).toMatchObject({
      action: "project.applied",
      changeRequestId: request.id,
      after: { manager: "file", planId: expect.any(String), ...source },
    });
  });

  it("changes no owner if the file manages nothing", async () => {
    const shop = await protectedShop(inProduction({ percentage: 5 }));
    const path = `${PRODUCTION}/percentage`;
    const before = await managersOf(shop, "colour");
    const file = inProduction({ percentage: 10 });
    const request = await proposed(shop, file, { manage: false, overwrite: [path] });
    expect(request["title"]).toBe("An import");
    await applied(request);
    expect((await strategyOf(shop, "colour")).percentage).toBe(10);
    expect(await managersOf(shop, "colour")).toEqual(before);
  });

  it("records what the file owns when the service applies it by its schedule", async () => {
    const shop = await protectedShop(inProduction({ percentage: 5 }));
    const request = await proposed(shop, inProduction({ percentage: 10 }));
    const applyAt = Date.now() + 60_000;
    const scheduled = await edited(request, { applyAt: new Date(applyAt).toISOString() });
    expect((await approve(asReviewer, scheduled)).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: applyAt });
    await runDue(jobDeps({ ...env, MAIL: new Mailbox().binding }), shop.id);
    vi.useRealTimers();
    expect(await planned(shop, inProduction({ percentage: 10 }))).toEqual({
      changes: [],
      conflicts: [],
    });
    expect((await planned(shop, inProduction({ percentage: 20 }))).conflicts).toEqual([]);
  });

  it("records it after a rebase, too", async () => {
    const shop = await protectedShop(inProduction({ percentage: 5 }));
    const request = await proposed(shop, inProduction({ percentage: 10 }));
    const { id } = await flagOf(shop, "colour");
    expect(outcome(await bypassing(shop, id, { enabled: true }))).toBe("200");
    const rebased = await act(asAdmin, "rebase", request);
    await applied(rebased.body);
    expect(await strategyOf(shop, "colour")).toMatchObject({ enabled: true, percentage: 10 });
    expect((await planned(shop, inProduction({ percentage: 20 }))).conflicts).toEqual([]);
  });

  it("records it in a project that has become too large for a file since the plan", async () => {
    const shop = await protectedShop(inProduction({ enabled: true, percentage: 5 }));
    const request = await proposed(shop, inProduction({ enabled: true, percentage: 50 }));
    const { id } = await flagOf(shop, "colour");
    // 10 flags with descriptions of 1.8 MB.
    await env.DB.prepare(
      `INSERT INTO flags (project_id, key, name, flag_type, description, created_at, updated_at)
       SELECT project_id, flags.key || j.key, name, flag_type, hex(zeroblob(900000)), 1, 1
       FROM flags, json_each('[0,0,0,0,0,0,0,0,0,0]') j WHERE flags.id = ?`,
    )
      .bind(id)
      .run();
    expect((await plan(shop, inProduction({}))).body.error).toContain("too large for one file");
    await applied(request);
    await env.DB.prepare("DELETE FROM flags WHERE project_id = ? AND length(description) > 1000000")
      .bind(shop.id)
      .run();
    expect(await planned(shop, inProduction({ enabled: true, percentage: 60 }))).toEqual({
      changes: [`${PRODUCTION}/percentage`],
      conflicts: [],
    });
  });

  it("records nothing for an operation that was removed, and a conflict for one that was edited", async () => {
    const shop = await protectedShop(inProduction({ enabled: true, percentage: 5 }));
    const file = inProduction({ enabled: true, percentage: 10 }, { name: "Other" });
    const request = await proposed(shop, file);
    const { id } = await flagOf(shop, "colour");
    const target = { flagId: id, environmentId: shop.production };
    const operations = [{ kind: "strategy.set", target, input: { percentage: 11 } }];
    await applied(await edited(request, { operations }));
    expect(await planned(shop, file)).toEqual({
      changes: ["/flags/colour/name"],
      conflicts: [`${PRODUCTION}/percentage`],
    });
  });

  it("does not undo what an apply in between has recorded", async () => {
    const file = (staging: number, production: number) => ({
      flags: {
        colour: {
          ...FLAG,
          environments: {
            staging: { percentage: staging },
            production: { percentage: production },
          },
        },
      },
    });
    const shop = await protectedShop(inProduction({ percentage: 5 }));
    // The staging has the value of the file, so only its ownership is new.
    const request = await proposed(shop, file(100, 10));
    const inStaging = { environments: ["staging"] };
    expect(outcome(await apply(shop, file(50, 10), inStaging))).toBe("200");
    const environments = { production: { enabled: false } };
    const colour = { flagType: FLAG.flagType, valueType: FLAG.valueType, environments };
    const other = { manager: "other", flags: { colour } };
    expect(outcome(await apply(shop, other))).toBe("200");
    await applied(request);
    expect(await planned(shop, file(60, 20))).toEqual({
      changes: ["/flags/colour/environments/staging/percentage", `${PRODUCTION}/percentage`],
      conflicts: [],
    });
    expect((await planned(shop, other)).conflicts).toEqual([]);
  });

  it("lets the file unarchive what its prune has archived", async () => {
    const on = { environments: { production: { enabled: true } } };
    const flags = { cart: { ...CART, ...on }, colour: FLAG };
    const shop = await protectedShop({ flags });
    const pruning = { prune: true, pruneLimit: 1 };
    await applied(await proposed(shop, { flags: { colour: FLAG } }, pruning));
    expect((await flagOf(shop, "cart")).archived).toBe(true);
    expect((await planned(shop, { flags })).changes).toEqual(["/flags/cart/archived"]);
    await applied(await proposed(shop, { flags }));
    expect((await flagOf(shop, "cart")).archived).toBe(false);
    expect(await planned(shop, { flags })).toEqual({ changes: [], conflicts: [] });
    const { id } = await flagOf(shop, "cart");
    await asAdmin("POST", `/api/v1/flags/${id}/archive`, undefined, {
      ...REASON,
      "X-Approval-Bypass": "true",
    });
    expect((await plan(shop, { flags: { colour: FLAG, cart: CART } })).body.warnings).toEqual([
      { path: "/flags/cart", message: expect.stringContaining("was archived elsewhere") },
    ]);
  });

  it("is refused for new flags that are on, and applies the other environments", async () => {
    const shop = await newShop();
    await protect(shop);
    const on = { enabled: true };
    const file = { flags: { cart: { ...CART, environments: { staging: on, production: on } } } };
    expect(outcome(await apply(shop, file))).toBe("409 APPROVAL_REQUIRED");
    expect(outcome(await apply(shop, file, { environments: ["staging"] }))).toBe("200");
  });
});

describe("the open request of a plan", () => {
  const file = inProduction({ percentage: 10 });
  const shopWithPlan = async () => {
    const shop = await protectedShop(inProduction({ percentage: 5 }));
    return { shop, planId: (await plan(shop, file)).body.id as string };
  };

  it("is the same for people who apply at the same time, and none of them may approve it", async () => {
    const { shop, planId } = await shopWithPlan();
    const people = [await person("DEVELOPER"), await person("DEVELOPER")];
    const answers = await Promise.all(
      people.map(({ token }) =>
        call("POST", `/api/v1/projects/${shop.id}/apply`, {
          token,
          body: { file: fileOf(shop, file) },
          headers: { "If-Match": `"${planId}"` },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    const [first, second] = answers.map(({ headers }) => headers.get("Location"));
    expect(first).toBe(second);
    const request = answers[0]?.body;
    for (const { token } of people)
      expect(outcome(await approve(as(token), request))).toBe("403 FORBIDDEN");
    expect((await approve(asReviewer, request)).body.status).toBe("approved");
    const records = await asAdmin("GET", `/api/v1/audit?projectId=${shop.id}&size=10`);
    await applyPlan(shop, file, planId);
    await applyPlan(shop, file, planId);
    const later = await asAdmin("GET", `/api/v1/audit?projectId=${shop.id}&size=10`);
    expect(later.body.totalItems).toBe(records.body.totalItems + 1);
    expect(later.body.items[0]).toMatchObject({
      action: "change-request.updated",
      before: { authors: 2 },
      after: { authors: 3 },
    });
  });

  it("is not a request that only has its description", async () => {
    const { shop, planId } = await shopWithPlan();
    const { id } = await flagOf(shop, "colour");
    const target = { flagId: id, environmentId: shop.production };
    const operations = [{ kind: "strategy.set", target, input: { percentage: 90 } }];
    const copy = { description: `Plan ${planId}`, operations };
    const { id: copied } = await opened(asReviewer, shop.id, copy);
    expect((await applyPlan(shop, file, planId)).body).toMatchObject({
      id: expect.not.toBeOneOf([copied]),
      operations: [{ after: { percentage: 10 } }],
    });
  });

  it("is not one whose operations were edited", async () => {
    const { shop, planId } = await shopWithPlan();
    const { body: request } = await applyPlan(shop, file, planId);
    const { hash } = await edited(request, { title: "Another title" });
    expect((await applyPlan(shop, file, planId)).body.id).toBe(request.id);
    const { kind, targetId, environmentId } = request.operations[0];
    const target = { flagId: targetId, environmentId };
    await edited(
      { ...request, hash },
      { operations: [{ kind, target, input: { percentage: 11 } }] },
    );
    expect((await applyPlan(shop, file, planId)).body.id).toBeGreaterThan(request.id);
  });
});
