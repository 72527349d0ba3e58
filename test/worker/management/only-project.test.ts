import { expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { newProject } from "../support/world.ts";

const create = (name: string) => asAdmin("POST", "/api/v1/environments", { name });

it("a new environment without projectId belongs to the only project, and returns 400 when no or several projects exist", async () => {
  expect(outcome(await create("first"))).toBe("400 VALIDATION_ERROR");
  const only = await newProject();
  expect((await create("second")).body.projectId).toBe(only.id);
  await newProject();
  expect(outcome(await create("third"))).toBe("400 VALIDATION_ERROR");
});
