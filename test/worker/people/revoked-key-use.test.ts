import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { newWorld } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

const poll = (token: string) => callWith({}, "GET", "/api/client/features", { token });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const RECORDS = "SELECT category, project_id FROM audit WHERE action = 'api-key.refused'";
const allRecords = async () => (await rows(RECORDS)).length;
const recorded = (keyId: number) => rows(`${RECORDS} AND entity_id = ?`, keyId);

it("the use of a revoked API key is audited once an hour; the use of an unknown API key is never audited", async () => {
  const { apiKey, keyId, projectId } = await newWorld();
  expect((await poll(apiKey)).status).toBe(200);
  await call("DELETE", `/api/v1/api-keys/${keyId}`, { token: await adminToken() });
  expect((await poll(apiKey)).status).toBe(401);
  await expect
    .poll(() => recorded(keyId))
    .toEqual([{ category: "security", project_id: projectId }]);
  const before = await allRecords();
  await sleep(1_100);
  await poll(apiKey);
  await poll("z".repeat(64));
  expect(await allRecords()).toBe(before);
  await env.DB.exec("UPDATE revoked_keys SET reported_at = 1");
  await sleep(1_100);
  await poll(apiKey);
  await expect.poll(() => recorded(keyId)).toHaveLength(2);
});
