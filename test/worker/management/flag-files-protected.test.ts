import { beforeAll, describe, expect, it } from "vitest";
import { act, approve, as, type As, REASON, REQUESTS } from "../support/change-requests.ts";
import { call } from "../support/client.ts";
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
  type Shop,
  STAFF,
  strategyOf,
} from "../support/files.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";

const PROPOSE = { protectedEnvironments: "propose" };
const SKIP = { protectedEnvironments: "skip" };
const ON = { enabled: true };

let asReviewer: As;
beforeAll(async () => {
  asReviewer = as((await person("DEVELOPER")).token);
});

const protect = async ({ production }: Shop) => {
  const path = `/api/v1/environments/${production}/protection`;
  expect((await asAdmin("PUT", path, { requiredApprovals: 1 }, REASON)).status).toBe(200);
};

/** Creates a project whose production is protected, after a file was applied to it. */
async function protectedShop(file: object = {}) {
  const shop = await newShop();
  expect(outcome(await apply(shop, file))).toBe("200");
  await protect(shop);
  return shop;
}

/** A file with a new flag that is on in both environments, in production for a new segment. */
const NEW = {
  segments: { staff: STAFF },
  flags: {
    cart: {
      ...CART,
      environments: { staging: ON, production: { enabled: true, segments: ["staff"] } },
    },
  },
};

const requestsOf = async ({ id }: Shop) =>
  (await asAdmin("GET", `${REQUESTS}?projectId=${id}`)).body.items;

describe("a plan that needs an approval", () => {
  it("names the environments, and says what both ways out would do", async () => {
    const shop = await protectedShop();
    const { id, approval } = (await plan(shop, NEW)).body;
    expect(approval).toEqual({
      environments: ["production"],
      propose: { applied: 3, held: 1, problem: null },
      skip: { applied: 3, held: 1, problem: null },
    });
    expect((await plan(shop, NEW, PROPOSE)).body).toMatchObject({ id, approval });
    const skipping = (await plan(shop, NEW, SKIP)).body;
    expect(skipping.id).not.toBe(id);
    expect(skipping.approval).toBeNull();
    const refused = await applyPlan(shop, NEW, id);
    expect(outcome(refused)).toBe("409 APPROVAL_REQUIRED");
    expect(refused.body.error).toMatch(/protectedEnvironments to propose.* or to skip/);
  });

  it("says nothing if new flags stay off there, and without protection", async () => {
    const shop = await protectedShop();
    const off = { flags: { cart: { ...CART, environments: { production: { percentage: 5 } } } } };
    expect((await plan(shop, off)).body.approval).toBeNull();
    expect((await plan(await newShop(), NEW)).body.approval).toBeNull();
  });

  it("says that a request cannot have more than 200 changes, and an apply then changes nothing", async () => {
    const shop = await protectedShop();
    const keys = Array.from({ length: 201 }, (_, n) => `flag-${n}`);
    const environments = { production: ON };
    const flags = Object.fromEntries(keys.map((key) => [key, { ...CART, environments }]));
    const { id, approval } = (await plan(shop, { flags })).body;
    expect(approval).toMatchObject({
      propose: { applied: 201, held: 201, problem: expect.stringContaining("at most 200 changes") },
      skip: { applied: 201, held: 201, problem: null },
    });
    expect(outcome(await applyPlan(shop, { flags }, id, PROPOSE))).toBe("409 APPROVAL_REQUIRED");
    expect(await flagOf(shop, "flag-0")).toBeUndefined();
    expect(outcome(await apply(shop, { flags }, SKIP))).toBe("200");
  });

  it("says that to skip is not enough for a variant that is in use there", async () => {
    const shop = await protectedShop(inProduction(ON));
    const offVariant = { offVariant: "teal" };
    const file = inProduction(ON, { variants: FLAG.variants.slice(1), ...offVariant });
    expect((await plan(shop, file)).body).toMatchObject({ code: expect.any(String) });
    const changed = inProduction(ON, offVariant);
    expect((await plan(shop, changed)).body.approval).toMatchObject({
      propose: { applied: 0, held: 1, problem: null },
      skip: { applied: 1, held: 0, problem: expect.stringContaining("flags or segments") },
    });
  });
});

describe("an apply that proposes", () => {
  it("creates the flags off, and opens one request that turns them on when it is applied", async () => {
    const shop = await protectedShop();
    const answer = await apply(shop, NEW, PROPOSE);
    expect(answer.status).toBe(202);
    expect(answer.headers.get("X-Revision")).not.toBeNull();
    expect((await strategyOf(shop, "cart", shop.staging)).enabled).toBe(true);
    expect(await strategyOf(shop, "cart")).toMatchObject({ enabled: false, segmentIds: [] });
    expect(answer.body).toMatchObject({
      title: "The file of file",
      operations: [{ kind: "strategy.set", after: { enabled: true } }],
    });
    expect((await managersOf(shop, "cart")).map((one: any) => one.environmentId)).not.toContain(
      shop.production,
    );
    expect((await approve(asReviewer, answer.body)).status).toBe(200);
    expect(outcome(await act(asAdmin, "apply", answer.body))).toBe("200");
    const { enabled, segmentIds } = await strategyOf(shop, "cart");
    expect([enabled, segmentIds.length]).toEqual([true, 1]);
    expect((await plan(shop, NEW)).body).toMatchObject({ changes: [], conflicts: [] });
    const next = structuredClone(NEW);
    Object.assign(next.flags.cart.environments.production, { percentage: 50 });
    expect((await plan(shop, next)).body.conflicts).toEqual([]);
  });

  it("opens one request for new and existing flags, and applies what needs no approval", async () => {
    const environments = (percentage: number) => ({
      staging: { percentage },
      production: { enabled: true, percentage },
    });
    const flags = { colour: { ...FLAG, environments: environments(5) } };
    const shop = await protectedShop({ segments: { staff: STAFF }, flags });
    const file = {
      segments: { staff: { ...STAFF, description: "People" } },
      flags: { colour: { ...FLAG, environments: environments(10) }, ...NEW.flags },
    };
    const { status, body } = await apply(shop, file, PROPOSE);
    expect(status).toBe(202);
    expect(body.operations).toHaveLength(2);
    const percentages = [shop.staging, shop.production].map(
      async (id) => (await strategyOf(shop, "colour", id)).percentage,
    );
    expect(await Promise.all(percentages)).toEqual([10, 5]);
    const rest = (await plan(shop, file)).body;
    expect(rest.conflicts).toEqual([]);
    expect(paths(rest.changes).toSorted()).toEqual([
      "/flags/cart/environments/production/enabled",
      "/flags/cart/environments/production/segments",
      "/flags/colour/environments/production/percentage",
    ]);
  });

  it("holds a changed segment that is in use there, and stays its manager", async () => {
    const shop = await protectedShop(NEW);
    const wider = { constraints: [{ ...STAFF.constraints[0], values: ["@b.com"] }] };
    const file = { segments: { staff: wider }, flags: { ...NEW.flags, colour: FLAG } };
    const { status, body } = await apply(shop, file, PROPOSE);
    expect([status, body.operations.length]).toEqual([202, 1]);
    expect(body.operations[0].kind).toBe("segment.update");
    expect(await flagOf(shop, "colour")).toBeDefined();
    const rest = (await plan(shop, file)).body;
    expect([paths(rest.changes), rest.conflicts]).toEqual([["/segments/staff/constraints"], []]);
  });

  it("creates nothing twice and opens no second request when it is repeated", async () => {
    const shop = await protectedShop();
    const { id } = (await plan(shop, NEW)).body;
    const first = await applyPlan(shop, NEW, id, PROPOSE);
    const again = await applyPlan(shop, NEW, id, PROPOSE);
    const planned = await apply(shop, NEW, PROPOSE);
    const plain = await apply(shop, NEW);
    expect([again, planned, plain].map(({ status, body }) => [status, body.id])).toEqual(
      Array.from({ length: 3 }, () => [202, first.body.id]),
    );
    expect(await requestsOf(shop)).toHaveLength(1);
    const applies = `/api/v1/audit?projectId=${shop.id}&action=project.applied`;
    expect((await asAdmin("GET", applies)).body.totalItems).toBe(1);
  });

  it.each([{ manage: true }, { manage: false }])(
    "creates and opens once for two callers at the same time with $manage",
    async (more) => {
      const shop = await protectedShop();
      const { id } = (await plan(shop, NEW, more)).body;
      const people = [await person("DEVELOPER"), await person("DEVELOPER")];
      const send = ({ token }: { token: string }) =>
        call("POST", `/api/v1/projects/${shop.id}/apply`, {
          token,
          body: { file: fileOf(shop, NEW), ...PROPOSE, ...more },
          headers: { "If-Match": `"${id}"` },
        });
      const answers = await Promise.all(people.map(send));
      expect(answers.map(({ status }) => status)).toEqual([202, 202]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(await requestsOf(shop)).toHaveLength(1);
    },
  );

  it("refuses another plan than the reviewed one, also after somebody else has applied a file", async () => {
    const shop = await protectedShop();
    const { id } = (await plan(shop, NEW)).body;
    expect((await applyPlan(shop, NEW, id, PROPOSE)).status).toBe(202);
    const next = structuredClone(NEW);
    Object.assign(next.flags.cart, { description: "New" });
    expect((await applyPlan(shop, next, id, PROPOSE)).status).toBe(412);
    expect((await applyPlan(shop, NEW, id)).status).toBe(412);
    expect(outcome(await apply(shop, { flags: { colour: FLAG } }, { manage: false }))).toBe("200");
    expect((await applyPlan(shop, NEW, id, PROPOSE)).status).toBe(412);
    expect(await requestsOf(shop)).toHaveLength(1);
  });

  it("applies all at once where nothing needs an approval", async () => {
    const shop = await newShop();
    expect(outcome(await apply(shop, NEW, PROPOSE))).toBe("200");
    expect((await strategyOf(shop, "cart")).enabled).toBe(true);
  });
});

describe("an apply that skips", () => {
  it("leaves the strategies of protected environments out, and opens no request", async () => {
    const shop = await protectedShop();
    const { status, body } = await apply(shop, NEW, SKIP);
    expect([status, body.changes[1].after.environments]).toEqual([200, { staging: ON }]);
    expect((await strategyOf(shop, "cart")).enabled).toBe(false);
    expect(await requestsOf(shop)).toEqual([]);
    expect((await plan(shop, NEW, SKIP)).body.changes).toEqual([]);
    const only = { ...SKIP, environments: ["production"] };
    expect((await plan(shop, NEW, only)).body.changes).toEqual([]);
  });

  it("cannot be combined with prune", async () => {
    const shop = await protectedShop();
    const { body } = await plan(shop, NEW, { ...SKIP, prune: true });
    expect(body.details[0].message).toContain("must be false with protectedEnvironments skip");
  });
});
