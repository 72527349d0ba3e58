import { expect, it } from "vitest";
import { call } from "../support/client.ts";
import { newMember } from "../support/mailbox.ts";
import { adminToken, signIn } from "../support/people.ts";

const asAdmin = async (method: string, path: string, body?: object) =>
  call(method, path, { token: await adminToken(), body });

it("the last administrator cannot be demoted, disabled or deleted, and the last two administrators cannot remove each other at the same time", async () => {
  const { user } = await signIn();
  const path = `/api/v1/users/${user.id}`;
  for (const body of [{ role: "VIEWER" }, { status: "DISABLED" }] as const) {
    const answer = await asAdmin("PUT", path, body);
    expect([answer.status, answer.body.code]).toEqual([409, "CONFLICT"]);
  }
  expect((await asAdmin("DELETE", path)).status).toBe(409);
  const second = await newMember("ADMIN");
  // The second administrator deletes the first, and the first demotes the second. Only one of the
  // two requests succeeds.
  const [one, other] = await Promise.all([
    call("DELETE", path, { token: second.token }),
    asAdmin("PUT", `/api/v1/users/${second.id}`, { role: "VIEWER" }),
  ]);
  expect([one.status === 204, other.status === 200]).toContain(true);
  expect([one.status === 204, other.status === 200]).toContain(false);
});
