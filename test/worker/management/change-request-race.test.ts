import { expect, it } from "vitest";
import { call } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { newEnvironment, newFlag, newProject, setStrategy } from "../support/world.ts";

interface Request {
  readonly id: number;
  readonly hash: string;
}
interface Record {
  readonly id: number;
  readonly action: string;
  readonly entityId: number;
  readonly changeRequestId: number | null;
  readonly override: string | null;
  readonly after: { readonly hash?: string; readonly requiredApprovals?: number };
}

const REASON = { "X-Change-Reason": "A race" };

it("of 50 racing applies, reviews, edits, direct changes and changes of the policy, every result is explained by the order of the audit records", async () => {
  const { id: projectId } = (await newProject()) as { id: number };
  const { id: environmentId } = await newEnvironment(projectId);
  const { id: flagId } = await newFlag(projectId);
  await setStrategy(flagId, { environmentId, enabled: true, percentage: 1 });
  const protection = `/api/v1/environments/${environmentId}/protection`;
  await asAdmin("PUT", protection, { requiredApprovals: 1 });
  const [author, approver] = [await person("DEVELOPER"), await person("DEVELOPER")];
  const setting = (percentage: number) => ({
    kind: "strategy.set",
    target: { flagId, environmentId },
    input: { percentage },
  });
  const requests: Request[] = [];
  for (let n = 10; n < 15; n++) {
    const body = { projectId, title: `To ${n} %`, operations: [setting(n)] };
    const opened = await call("POST", "/api/v1/change-requests", { token: author.token, body });
    requests.push(opened.body);
  }
  const path = ({ id }: Request, verb = "") => `/api/v1/change-requests/${id}${verb}`;
  const match = ({ hash }: Request) => ({ "If-Match": `"${hash}"` });
  const apply = (request: Request) =>
    call("POST", path(request, "/apply"), {
      token: author.token,
      body: {},
      headers: match(request),
    });
  const review = (request: Request, verdict: "approve" | "reject") =>
    call("POST", path(request, "/reviews"), {
      token: approver.token,
      body: { verdict },
      headers: match(request),
    });
  const edit = (request: Request) =>
    call("PUT", path(request), {
      token: author.token,
      body: { operations: [setting(20 + (request.id % 50))] },
      headers: match(request),
    });
  const direct = (percentage: number) =>
    asAdmin(
      "PUT",
      `/api/v1/flags/${flagId}/strategies`,
      { environmentId, percentage },
      {
        ...REASON,
        "X-Approval-Bypass": "true",
      },
    );
  const demand = (requiredApprovals: number) =>
    asAdmin("PUT", protection, { requiredApprovals }, REASON);

  const [first, second, third, ...others] = requests as [Request, Request, Request, ...Request[]];
  const races = [
    ...requests.flatMap((request) => [review(request, "approve"), apply(request)]),
    ...Array.from({ length: 10 }, () => apply(first)),
    ...[first, second, third].flatMap((request) => [apply(request), apply(request)]),
    ...[second, third].flatMap((request) => [edit(request), review(request, "reject")]),
    ...others.flatMap((request) => [apply(request), apply(request), review(request, "approve")]),
    ...[90, 91, 92].map(direct),
    ...[0, 1, 2, 1].map(demand),
    ...requests.map(apply),
    ...requests.slice(0, 2).map(apply),
  ];
  expect(races).toHaveLength(50);
  const results = (await Promise.all(races)).map(outcome);
  expect(results.filter((result) => !/^(?:200|409|412)/.test(result))).toEqual([]);

  const { body } = await asAdmin("GET", `/api/v1/audit?projectId=${projectId}&size=200`);
  const records = (body.items as Record[]).toSorted((a, b) => a.id - b.id);
  let required = 0;
  const hashes = new Map<number, string>();
  const approved = new Map<number, string>();
  const applied: number[] = [];
  let writes = 0;
  let missing = 0;
  for (const { action, entityId, after, changeRequestId, override } of records) {
    if (action === "environment.protection-updated") required = after.requiredApprovals ?? required;
    if (/^change-request\.(?:opened|updated)$/.test(action) && after.hash !== undefined)
      hashes.set(entityId, after.hash);
    if (action === "change-request.reviewed") {
      const { hash = "", verdict } = after as { hash?: string; verdict?: string };
      if (verdict === "approve") approved.set(entityId, hash);
      else approved.delete(entityId);
    }
    if (action === "strategy.updated" && (changeRequestId !== null || override === "bypass"))
      writes += 1;
    if (action === "change-request.applied") {
      applied.push(entityId);
      const approvals = approved.get(entityId) === hashes.get(entityId) ? 1 : 0;
      missing += Math.max(0, required - approvals);
    }
  }
  expect(missing).toBe(0);
  // One request at most: the others are outdated by it, or by a direct change.
  expect(applied.length).toBeLessThanOrEqual(1);
  const ofRequests = records.filter(({ changeRequestId }) => changeRequestId !== null);
  expect(ofRequests.map(({ changeRequestId }) => changeRequestId)).toEqual(applied);
  const { version } = (await asAdmin("GET", `/api/v1/flags/${flagId}/strategies/${environmentId}`))
    .body;
  const unrestricted = records.filter(
    ({ action, changeRequestId, override }) =>
      action === "strategy.updated" && changeRequestId === null && override === null,
  );
  // The first version is of the set-up. Direct changes need no bypass while the policy is 0.
  expect(version).toBe(writes + unrestricted.length);
});
