import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { JobDeps } from "../../../src/jobs/deps.ts";
import { sweepSnapshots } from "../../../src/jobs/sweep-snapshots.ts";
import { snapshotKey } from "../../../src/platform/bindings/edge-store.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { callWith } from "../support/call-with.ts";
import { adminToken } from "../support/people.ts";
import { newEnvironment, newProject } from "../support/world.ts";

const write = async (method: string, path: string, body?: object) =>
  callWith({}, method, `/api/v1/${path}`, { token: await adminToken(), body });

/** Creates a project with two environments whose rules are in KV. */
async function published() {
  const { id: projectId } = await newProject();
  const environmentIds: number[] = [];
  for (let n = 0; n < 2; n++) environmentIds.push((await newEnvironment(projectId)).id);
  const flag = { key: "flag", name: "Flag", flagType: "RELEASE", projectId };
  expect((await write("POST", "flags", flag)).status).toBe(201);
  expect(await stored(environmentIds)).toEqual([true, true]);
  return { projectId: projectId as number, environmentIds };
}

const isStored = async (name: string) => (await env.EDGE.get(name)) !== null;

const stored = (environmentIds: readonly number[]) =>
  Promise.all(environmentIds.map((id) => isStored(snapshotKey(id))));

describe("the rules in KV", () => {
  it("are deleted with their environment, and stay for other environments", async () => {
    const { environmentIds } = await published();
    await write("DELETE", `environments/${environmentIds[0]}`);
    expect(await stored(environmentIds)).toEqual([false, true]);
  });

  it("are deleted for all environments of a deleted project", async () => {
    const { projectId, environmentIds } = await published();
    await write("DELETE", `projects/${projectId}`);
    expect(await stored(environmentIds)).toEqual([false, false]);
  });

  it("stay when an API key prevents the deletion of their environment", async () => {
    const { environmentIds } = await published();
    const [environmentId] = environmentIds;
    await write("POST", "api-keys", { name: "key", keyType: "SERVER", environmentId });
    expect((await write("DELETE", `environments/${environmentId}`)).status).toBe(409);
    expect(await stored(environmentIds)).toEqual([true, true]);
  });
});

describe("the job that deletes rules of deleted environments from KV", () => {
  it("deletes rules of every format if the environment does not exist, and nothing else", async () => {
    // A run deletes at most 200, and other test files may have left more.
    for await (const page of jobDeps(env).snapshots.list())
      for (const { name } of page) await env.EDGE.delete(name);
    const { environmentIds } = await published();
    const [environmentId] = environmentIds;
    const orphans = ["rules:v1:999999999", snapshotKey(999_999_999)];
    const kept = ["key:hash", "rules:other", `rules:v1:${environmentId}`];
    for (const name of [...orphans, ...kept]) await env.EDGE.put(name, "{}");
    await sweepSnapshots(jobDeps(env));
    expect(await Promise.all(orphans.map(isStored))).toEqual([false, false]);
    expect(await Promise.all(kept.map(isStored))).toEqual([true, true, true]);
    expect(await stored(environmentIds)).toEqual([true, true]);
  });

  it("deletes at most 200 in one run, from all pages of KV, and continues in the next run", async () => {
    const { environmentIds } = await published();
    const ids = Array.from({ length: 250 }, (_, n) => 900_000_000 + n);
    const inKv = new Map([...environmentIds, ...ids].map((id) => [snapshotKey(id), id]));
    const snapshots: JobDeps["snapshots"] = {
      list: async function* () {
        const all = [...inKv].map(([name, environmentId]) => ({ name, environmentId }));
        yield all.slice(0, 100);
        yield all.slice(100);
      },
      delete: async (name) => void inKv.delete(name),
    };
    await sweepSnapshots({ ...jobDeps(env), snapshots });
    expect(inKv.size).toBe(52);
    await sweepSnapshots({ ...jobDeps(env), snapshots });
    expect([...inKv.values()]).toEqual(environmentIds);
  });
});
