import { join } from "./support/people.ts";
import { expect, expectAccessible, signIn, test } from "./support/test.ts";
import { newFlag, newKey } from "./support/world.ts";

const unique = (name: string) => `${name} ${crypto.randomUUID().slice(0, 8)}`;

test("a new project opens with its guided start, and its name must be unique", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await openAs("ADMIN", "/projects");
  await expect(page.getByRole("link", { name: world.project.name })).toBeVisible();
  const card = page.getByRole("listitem").filter({ hasText: world.project.name });
  await expect(card).toContainText("0 flags · 2 environments");
  await expect(card).toContainText(/Last changed .* · admin$/);
  await page.getByRole("button", { name: "New project" }).click();
  const dialog = page.getByRole("dialog", { name: "New project" });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await dialog.getByRole("button", { name: "Create project" }).click();
  await expect(name).toHaveAccessibleDescription("Required");
  await name.fill(world.project.name);
  await dialog.getByRole("button", { name: "Create project" }).click();
  await expect(name).toHaveAccessibleDescription("Another project has this name.");
  await expectAccessible(page);

  const called = unique("Web shop");
  await name.fill(called);
  await dialog.getByRole("textbox", { name: "Description" }).fill("What customers see");
  await dialog.getByRole("button", { name: "Create project" }).click();
  await expect(page).toHaveURL(/\/projects\/\d+\/start$/);
  const id = /\d+(?=\/start$)/.exec(page.url())?.[0] ?? "";
  await api.delete(`/api/v1/projects/${id}`);
});

test("the page of projects explains what a project is when there is none", async ({
  page,
  openAs,
}) => {
  await page.route("**/api/v1/projects?*", (route) =>
    route.fulfill({ json: [], headers: { "X-Total-Count": "0" } }),
  );
  await openAs("ADMIN", "/");
  await expect(page.getByText("Create your first project")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New project" }).click();
  await expect(page.getByRole("dialog", { name: "New project" })).toBeVisible();
});

test("the settings page renames a project, does not overwrite a concurrent change, and deletes a project without API keys", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const path = `/api/v1/projects/${world.project.id}`;
  await newFlag(api, world);
  const key = await newKey(api, world.development);
  await openAs("ADMIN", `/projects/${world.project.id}/settings`);
  const name = page.getByRole("textbox", { name: "Name" });
  const save = page.getByRole("button", { name: "Save" });
  await expect(name).toHaveValue(world.project.name);
  await expect(save).toBeDisabled();

  const first = unique("Renamed");
  await name.fill(first);
  await page.getByRole("textbox", { name: "Days until a flag is stale" }).fill("14");
  await save.click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(save).toBeDisabled();

  await api.put(path, { description: "Of somebody else" });
  await name.fill(unique("Too late"));
  await save.click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "Someone else changed this",
  );
  expect(await api.get(path)).toMatchObject({ name: first, description: "Of somebody else" });

  await expect(page.getByText("It still has 1 API key.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete project" })).toHaveCount(0);

  await api.delete(`/api/v1/api-keys/${key.id}`);
  await page.reload();
  await page.getByRole("button", { name: "Delete project" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("listitem").filter({ hasText: "1 flag" })).toBeVisible();
  await expect(dialog.getByRole("listitem").filter({ hasText: "2 environments" })).toBeVisible();
  await expectAccessible(page);
  const confirm = dialog.getByRole("button", { name: "Delete project" });
  await dialog.getByRole("textbox", { name: "Type" }).fill(first.slice(1));
  await expect(confirm).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Type" }).fill(first);
  await confirm.click();
  await expect(page).toHaveURL(/\/projects$/);
  await expect(page.getByRole("link", { name: first })).toHaveCount(0);
});

test("an administrator of one project, who is a viewer elsewhere, makes it private and adds a member, and does not find it after the end of the own membership", async ({
  page,
  api,
  world,
}) => {
  const { id } = world.project;
  const [person, other] = [await join(api, "VIEWER"), await join(api, "VIEWER")];
  const [own = "", name = ""] = [person, other].map(({ email }) => email.split("@")[0]);
  const { session } = await signIn(page, person);
  await api.put(`/api/v1/projects/${id}/members/${session.user.id}`, { role: "ADMIN" });
  await page.goto("/projects");
  await expect(page.getByRole("link", { name: world.project.name })).toBeVisible();
  await expect(page.getByRole("button", { name: "New project" })).toHaveCount(0);

  await page.goto(`/projects/${id}/settings`);
  await expect(page.getByRole("textbox", { name: "Name" })).toBeDisabled();
  await page.getByRole("radio", { name: "Only members" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Add member" }).click();
  const dialog = page.getByRole("dialog", { name: "Add member" });
  await dialog.getByRole("combobox", { name: "User" }).fill(name);
  await page.getByRole("option", { name }).click();
  await dialog.getByRole("combobox", { name: "Role here" }).click();
  await page.getByRole("option", { name: "Developer" }).click();
  await dialog.getByRole("button", { name: "Add member" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row.getByRole("cell")).toHaveText(["Viewer", "Developer", "Developer", ""]);
  await expectAccessible(page);

  await page.getByRole("button", { name: `Remove ${own}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Flags", exact: true })).toHaveCount(0);
});
