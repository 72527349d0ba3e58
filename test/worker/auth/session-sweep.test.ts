import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { sweep } from "../../../src/jobs/sweep.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { person } from "../support/people.ts";

const TTL_DAYS = Number(env.SERVICE_JWT_REFRESH_TOKEN_TTL_DAYS);

const sweepAt = (now: number) => sweep({ ...jobDeps(env), now: () => now });
const setRefreshedAt = (id: string, at: number) =>
  env.DB.prepare("UPDATE sessions SET refreshed_at = ? WHERE id = ?").bind(at, id).run();
const exists = async (id: string) =>
  (await env.DB.prepare("SELECT id FROM sessions WHERE id = ?").bind(id).first()) !== null;

it("the sweep deletes a session a day after the refresh token of its last recorded refresh has expired", async () => {
  const { sessionId } = await person("VIEWER");
  const now = Date.now();
  await setRefreshedAt(sessionId, now);
  await sweepAt(now + (TTL_DAYS + 1) * DAY_MS);
  expect(await exists(sessionId)).toBe(true);
  await sweepAt(now + (TTL_DAYS + 1) * DAY_MS + 1);
  expect(await exists(sessionId)).toBe(false);
});
