import { expect, it } from "vitest";
import { call } from "./support/client.ts";

it("signs in", async () => {
  const answer = await call("POST", "/api/v1/auth/login", {
    body: { email: "admin@example.com", password: "correct-horse-battery" },
  });
  expect(answer.status).toBe(200);
});
