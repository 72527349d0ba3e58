import { expect, it } from "vitest";
import { call } from "../support/client.ts";
import { newMember } from "../support/mailbox.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { signIn } from "../support/people.ts";

it("the last administrator cannot be demoted, disabled or deleted, and the last two administrators cannot remove each other at the same time", async () => {
  const { user } = await signIn();
  const path = `/api/v1/users/${user.id}`;
  for (const body of [{ role: "VIEWER" }, { status: "DISABLED" }])
    expect(outcome(await asAdmin("PUT", path, body))).toBe("409 CONFLICT");
  expect(outcome(await asAdmin("DELETE", path))).toBe("409 CONFLICT");
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
