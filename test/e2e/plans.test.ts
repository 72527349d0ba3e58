import { setStrategy, strategyIn } from "./support/strategies.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { flagPath, newFlag } from "./support/world.ts";

test("a developer starts a ramp with three steps, pauses it, goes on to the last step, and aborts it, on a phone", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const { production } = world;
  const flag = await newFlag(api, world);
  await setStrategy(api, flag, production, { percentage: 30 });
  await openAs("DEVELOPER", flagPath(world, flag, production));
  await page.getByRole("button", { name: "Start ramp" }).click();
  const form = page.getByRole("dialog", { name: "Start a ramp in production" });
  await expect(form.getByText("The ramp turns it on")).toBeVisible();
  await form.getByRole("textbox", { name: "Percentage of step 1" }).fill("5");
  await form.getByRole("button", { name: "Remove step 4" }).click();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await form.getByRole("button", { name: "Start ramp" }).click();
  const panel = page.getByRole("region", { name: "production", exact: true });
  await expect(panel.getByText("5% now, then 10%.")).toBeVisible();
  const steps = panel.getByRole("list", { name: "Steps of the ramp" }).getByRole("listitem");
  await expect(steps).toHaveText([
    /^5% since today \d/,
    /^10% (today|tomorrow) \d/,
    /^50% (tomorrow|[A-Z]) ?/,
  ]);
  await expect(panel.getByText(/in (1 hour|60 minutes|59 minutes)$/)).toBeVisible();
  expect(await strategyIn(api, flag, production)).toMatchObject({ enabled: true, percentage: 5 });

  await panel.getByRole("button", { name: "Pause" }).click();
  await expect(panel.getByText("The ramp is paused")).toBeVisible();
  await panel.getByRole("button", { name: "Resume" }).click();
  for (const words of ["10% now, then 50%.", "50% now, the last step."]) {
    await panel.getByRole("button", { name: "Next step" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Next step" }).click();
    await expect(panel.getByText(words)).toBeVisible();
  }
  await panel.getByRole("button", { name: "Abort" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Abort" }).click();
  await expect(page.getByText("Ramp aborted")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Pause" })).toHaveCount(0);
  expect(await strategyIn(api, flag, production)).toMatchObject({ enabled: false, percentage: 30 });
});

test("a developer schedules a change, which the page Schedule lists by day, and changes its time", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const { production } = world;
  const flag = await newFlag(api, world);
  await openAs("DEVELOPER", flagPath(world, flag, production));
  const panel = page.getByRole("region", { name: "production", exact: true });
  const first = await api.post<{ id: number }>("/api/v1/change-requests", {
    projectId: world.project.id,
    title: "A quarter",
    operations: [
      {
        kind: "strategy.set",
        target: { flagId: flag.id, environmentId: production.id },
        input: { percentage: 25 },
      },
    ],
    applyAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await panel.getByRole("textbox", { name: "Roll-out" }).fill("50");
  await panel.getByRole("button", { name: "Other options" }).click();
  await page.getByRole("menuitem", { name: "Schedule" }).click();
  const form = page.getByRole("dialog", { name: "Schedule the change in production" });
  await form.getByLabel("Apply at").fill("2020-01-01T09:00");
  await form.getByRole("textbox", { name: "Reason" }).fill("Half of the users");
  await form.getByRole("button", { name: "Schedule change" }).click();
  await expect(form.getByText("This time is over. Choose a later one.")).toBeVisible();
  const inDays = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, "2026-01-02T03:04".length);
  await form.getByLabel("Apply at").fill(inDays(3));
  await form.getByRole("combobox", { name: "After another change request (optional)" }).click();
  await page.getByRole("option", { name: /^A quarter/ }).click();
  await form.getByRole("button", { name: "Schedule change" }).click();
  await expect(page.getByText("Change scheduled")).toBeVisible();
  await expect(panel.getByRole("link", { name: "Half of the users" })).toBeVisible();
  await expect(panel.getByText(/25% → 50%, .* in 3 days$/)).toBeVisible();

  await page.getByRole("link", { name: "Change requests 1 to review" }).click();
  await page.getByRole("link", { name: "Schedule", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Schedule" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("listitem").getByRole("link", { name: "Half of the users" }).click();
  await expect(page.getByText("Scheduled", { exact: true })).toBeVisible();
  await expect(page.getByText(`Applied after change request ${first.id},`)).toBeVisible();
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.getByLabel("Apply at").fill(inDays(4));
  await page.getByRole("button", { name: "Schedule change" }).click();
  await expect(page.getByText("Schedule changed")).toBeVisible();
  await page.getByRole("button", { name: "Remove schedule" }).click();
  await expect(page.getByText("Schedule removed")).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove schedule" })).toHaveCount(0);
  expect(await strategyIn(api, flag, production)).toMatchObject({ percentage: 100 });
});

test("the page of a flag shows open change requests in their environment, with what they change and the approvals that are missing", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const { project, development, production } = world;
  const flag = await newFlag(api, world);
  await setStrategy(api, flag, production, { enabled: true, percentage: 25 });
  await api.put(`/api/v1/environments/${production.id}/protection`, { requiredApprovals: 1 });
  await openAs("DEVELOPER", flagPath(world, flag, production));
  const panel = page.getByRole("region", { name: "production", exact: true });
  await expect(panel.getByRole("textbox", { name: "Roll-out" })).toBeVisible();
  await api.post("/api/v1/change-requests", {
    projectId: project.id,
    title: "Half of the users",
    operations: [
      {
        kind: "strategy.set",
        target: { flagId: flag.id, environmentId: production.id },
        input: { percentage: 50, enabled: false },
      },
    ],
  });
  await expect(panel.getByText("turn off and 25% → 50%")).toBeVisible();
  await expect(panel.getByText(/^Proposed by .* · 0 of 1 approval$/)).toBeVisible();
  await expectAccessible(page);
  await page.goto(flagPath(world, flag, development));
  await expect(page.getByRole("region", { name: "development", exact: true })).toBeVisible();
  await expect(page.getByText("Half of the users")).toHaveCount(0);
  await page.goto(flagPath(world, flag, production));
  await panel.getByRole("link", { name: "Review Half of the users" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Half of the users" })).toBeVisible();
});
