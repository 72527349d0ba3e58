import { expect, it } from "vitest";
import { call } from "../support/client.ts";
import { ADMIN } from "../support/people.ts";
import { ask, evaluateLocally, poll } from "../support/sdk.ts";
import { inCountries } from "../support/world.ts";

/**
 * The test of the main use of the service over HTTP: from the login to the deletion of the API key.
 */
it("a user creates a flag, rolls it out to half of the people in two countries, archives it and deletes the API key", async () => {
  const session = await call("POST", "/api/v1/auth/login", { body: ADMIN });
  expect(session.status).toBe(200);
  const { token } = session.body;
  const send = (method: string, path: string, body?: object) =>
    call(method, `/api/v1${path}`, { token, body });

  const project = (await send("POST", "/projects", { name: "Web shop" })).body;
  const selected = await send("POST", "/auth/select-project", { projectId: project.id });
  expect(selected.body.project.name).toBe("Web shop");
  const environment = (
    await call("POST", "/api/v1/environments", {
      token: selected.body.token,
      body: { name: "production" },
    })
  ).body;
  expect(environment.projectId).toBe(project.id);
  const key = (
    await send("POST", "/api-keys", {
      name: "SDK",
      keyType: "SERVER",
      environmentId: environment.id,
    })
  ).body;
  expect(key.apiKey).toMatch(/^[A-Za-z0-9_-]{64}$/);

  const flag = (
    await send("POST", "/flags", {
      key: "new-checkout",
      name: "New checkout",
      description: "One page instead of four",
      flagType: "RELEASE",
      projectId: project.id,
    })
  ).body;
  expect(flag).toMatchObject({ key: "new-checkout", enabled: false, archived: false });

  const before = await poll(key.apiKey);
  expect(before.status).toBe(200);
  expect(before.body).toEqual([
    {
      key: "new-checkout",
      name: "New checkout",
      enabled: false,
      activation: { rollOut: 100, constraints: [], segments: [] },
    },
  ]);

  const rolledOut = await send("PUT", `/flags/${flag.id}/strategies`, {
    environmentId: environment.id,
    enabled: true,
    percentage: 50,
    constraints: [inCountries("DE", "FR")],
  });
  expect(rolledOut.status).toBe(200);

  // The next poll, with the ETag of the last poll, returns the changed rule.
  const held = before.headers.get("ETag") ?? "";
  const after = await poll(key.apiKey, { etag: held });
  expect(after.status).toBe(200);
  expect(after.body[0]).toMatchObject({
    enabled: true,
    activation: { rollOut: 50, constraints: [inCountries("DE", "FR")] },
  });
  expect(after.headers.get("X-Revision")).toBe(rolledOut.headers.get("X-Revision"));
  const etag = after.headers.get("ETag") ?? "";
  expect((await poll(key.apiKey, { etag })).status).toBe(304);

  const users = Array.from({ length: 400 }, (_, n) => ({ userId: `user-${n}`, country: "DE" }));
  const verdicts = await Promise.all(users.map((user) => ask(key.apiKey, user)));
  expect(verdicts).toEqual(users.map((user) => evaluateLocally(after.body, user)));
  const on = verdicts.filter((verdict) => verdict["new-checkout"]?.enabled).length;
  // The tolerance of 50 users is five standard deviations of a binomial distribution of 400 users,
  // each with a probability of one half.
  expect(Math.abs(on - 200)).toBeLessThan(50);
  expect(await ask(key.apiKey, { userId: "user-1", country: "US" })).toEqual({
    "new-checkout": { enabled: false, reason: "CONSTRAINT_MISMATCH" },
  });

  await send("POST", `/flags/${flag.id}/archive`);
  const archived = await poll(key.apiKey, { etag });
  expect(archived.status).toBe(200);
  expect(archived.body).toEqual([]);
  expect(archived.headers.get("ETag")).not.toBe(etag);
  expect(await ask(key.apiKey, { userId: "user-1" }, ["new-checkout"])).toEqual({
    "new-checkout": { enabled: false, reason: "FLAG_NOT_FOUND" },
  });
  const delta = await poll(key.apiKey, { since: after.headers.get("X-Next-Since") ?? "" });
  expect(delta.headers.get("X-Delta")).toBe("partial");
  expect(delta.body).toEqual([{ ...after.body[0], enabled: false, archived: true }]);

  expect((await send("DELETE", `/api-keys/${key.id}`)).status).toBe(204);
  expect((await poll(key.apiKey)).status).toBe(401);
});
