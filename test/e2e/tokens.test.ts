import { request } from "./support/api.ts";
import { join } from "./support/people.ts";
import { expect, expectAccessible, signIn, test } from "./support/test.ts";
import { newFlag } from "./support/world.ts";

test("an administrator creates a service account and its token, which by default changes flags only outside of production, appears in the history, and is 401 after its revocation", async ({
  page,
  api,
  world: { project, ...world },
}) => {
  const flag = await newFlag(api, { project, ...world });
  const person = await join(api, "ADMIN");
  await signIn(page, person);
  await page.goto("/service-accounts");
  await page.getByRole("button", { name: "New service account" }).click();
  const form = page.getByRole("dialog");
  const account = `Pipeline ${project.id}`;
  await form.getByRole("textbox", { name: "Name" }).fill(account);
  await form.getByRole("combobox", { name: "Project" }).fill(project.name);
  await page.getByRole("option", { name: project.name }).click();
  await form.getByRole("button", { name: "Create service account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: account })).toBeVisible();

  await page.getByRole("button", { name: "New token" }).click();
  await form.getByRole("textbox", { name: "Name" }).fill("ci");
  await expect(form.getByRole("checkbox", { name: "Approve" })).toHaveCount(0);
  await form.getByRole("checkbox", { name: "Write" }).check();
  await expect(form.getByRole("radio", { name: "All except production" })).toBeChecked();
  await form.getByLabel("Current password").fill("this is not it");
  const create = form.getByRole("button", { name: "Create token" });
  await create.click();
  await expect(form.getByText("The current password is incorrect")).toBeVisible();
  await form.getByLabel("Current password").fill(person.password);
  await expectAccessible(page);
  await create.click();

  const shown = page.getByRole("dialog", { name: "ci created" });
  const token = await shown.getByRole("textbox", { name: "Token" }).inputValue();
  await expect(shown.getByRole("region", { name: "Request header" })).toHaveText(
    `Authorization: Bearer ${token}`,
  );
  await expectAccessible(page);
  await shown.getByRole("button", { name: "Copy", exact: true }).click();
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Environments: development")).toBeVisible();

  const turnOn = (environmentId: number) =>
    request("POST", "/api/v1/operations", {
      token,
      body: {
        projectId: project.id,
        operations: [
          {
            kind: "strategy.set",
            target: { flagKey: flag.key, environmentId },
            input: { enabled: true, percentage: 10 },
          },
        ],
      },
    });
  await turnOn(world.development.id);
  await expect(turnOn(world.production.id)).rejects.toThrow(": 403 ");

  await page.getByRole("button", { name: "Revoke ci" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke token" }).click();
  await expect(page.getByText("No tokens yet")).toBeVisible();
  await expect(turnOn(world.development.id)).rejects.toThrow(": 401 ");
  await page.goto(`/projects/${project.id}/audit`);
  await expect(page.getByText(`${account} via token ci`).first()).toBeVisible();
});
