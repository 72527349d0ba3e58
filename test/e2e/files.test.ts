import type { Api, Schemas } from "./support/api.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { listPath, type World } from "./support/world.ts";

const UNLEASH = {
  version: 2,
  features: [
    { name: "cart", type: "kill-switch", enabled: true, strategies: [{ name: "default" }] },
    { name: "beta", type: "release", enabled: true, strategies: [{ name: "ourOwn" }] },
  ],
};

test("flags of Unleash are checked, planned and applied, and become managed by a file only with the checkbox ticked", async ({
  page,
  api,
  world: { project },
  openAs,
}) => {
  await openAs("DEVELOPER", `/projects/${project.id}/export`);
  await page.getByRole("textbox", { name: "File", exact: true }).fill(JSON.stringify(UNLEASH));
  await page.getByRole("button", { name: "Check" }).click();
  const report = page.getByRole("table", { name: "Result for each flag" });
  await expect(report.getByRole("row", { name: "cart Exact" })).toBeVisible();
  await expect(report.getByRole("row", { name: "beta Refused" })).toContainText("ourOwn");
  await expect(page.getByText("These are flags of Unleash.")).toBeVisible();
  await expect(page.getByRole("link", { name: "What to do about refused flags" })).toBeVisible();
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  const changes = page.getByRole("list", { name: "Changes" });
  await expect(page.getByText("Create 1 · change 0 · archive 0")).toBeVisible();
  await expect(changes.getByText("On for everyone.")).toBeVisible();
  await changes.getByText("Details").click();
  await expect(changes.getByText('"flagType": "KILLSWITCH"')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Apply / }).click();
  const show = page.getByRole("link", { name: "Show flags" });
  await expect(show).toBeVisible();
  expect(await managersOf(api, project.id)).toEqual([]);
  await page.getByRole("checkbox", { name: "I import more than once" }).check();
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await show.click();
  await expect(page.getByRole("link", { name: "cart", exact: true })).toBeVisible();
  expect(await managersOf(api, project.id)).toContain("file");
});

/** The managers of the fields of the only flag of a project. */
async function managersOf(api: Api, projectId: number): Promise<readonly string[]> {
  const list = `/api/v1/flags?projectId=${projectId}`;
  const [flag] = (await api.get<{ items: readonly Schemas["Flag"][] }>(list)).items;
  const { related } = await api.get<Schemas["FlagWithRelated"]>(
    `/api/v1/flags/${flag?.id}?related=true`,
  );
  return related?.managedBy.map(({ manager }) => manager) ?? [];
}

/** A file in which a flag is on in development, and gets a percentage in production. */
const fileOf = ({ project }: World, percentage: number) => ({
  version: 1,
  project: project.name,
  manager: "shop-repo",
  flags: {
    cart: {
      name: "Cart",
      flagType: "RELEASE",
      environments: { development: { enabled: true }, production: { percentage } },
    },
  },
});

/** Applies a file. Returns the flag. */
async function applied(api: Api, world: World): Promise<Schemas["Flag"]> {
  const path = `/api/v1/projects/${world.project.id}`;
  const file = fileOf(world, 5);
  const { id } = await api.post<Schemas["FilePlan"]>(`${path}/plan`, { file });
  await api.post(`${path}/apply`, { file }, id);
  const list = await api.get<Schemas["FlagPage"]>(`/api/v1/flags?projectId=${world.project.id}`);
  const [flag] = list.items;
  if (!flag) throw new Error("The file must create the flag");
  return flag;
}

test("a file wins a conflict that the user selects, is planned again after a change meanwhile, and opens a change request where an approval is required", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const { project, production } = world;
  const flag = await applied(api, world);
  const change = (exactPercentage: number) =>
    api.put(`/api/v1/flags/${flag.id}/strategies`, {
      environmentId: production.id,
      exactPercentage,
    });
  await change(6);
  await openAs("DEVELOPER", `/projects/${project.id}/export`);
  const input = page.getByRole("textbox", { name: "File", exact: true });
  await input.fill(JSON.stringify(fileOf(world, 10)));
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  const conflicts = page.getByRole("group", { name: "1 conflict" });
  const place = "/flags/cart/environments/production/percentage";
  await expect(page.getByRole("button", { name: /^Apply/ })).toBeHidden();
  await conflicts.getByRole("checkbox", { name: place }).check();
  const again = page.getByRole("button", { name: "Plan again" });
  await again.click();
  const apply = page.getByRole("button", { name: "Apply 1 change" });
  await expect(apply).toBeEnabled();
  await change(7);
  await apply.click();
  await expect(page.getByRole("alert")).toContainText("The project has changed since the plan");
  await expect(apply).toBeDisabled();
  await expectAccessible(page);
  const protection = `/api/v1/environments/${production.id}/protection`;
  await api.put(protection, { requiredApprovals: 1 });
  await again.click();
  await page.getByRole("button", { name: "Propose 1 change" }).click();
  await page.getByRole("link", { name: "Show change request" }).click();
  await expect(page.getByRole("heading", { name: "The file of shop-repo" })).toBeVisible();
});

test("a dropped file with a new flag leaves a protected environment out, or creates the flag off there and opens a change request", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const { project, production } = world;
  await api.put(`/api/v1/environments/${production.id}/protection`, { requiredApprovals: 1 });
  await openAs("DEVELOPER", `/projects/${project.id}/export`);
  const environments = { development: { enabled: true }, production: { enabled: true } };
  const flags = { cart: { name: "Cart", flagType: "RELEASE", environments } };
  const text = JSON.stringify({ version: 1, project: project.name, flags });
  const data = await page.evaluateHandle(`{
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], "flags.json"));
    transfer;
  }`);
  await page.getByText("Drop files here, or").dispatchEvent("drop", { dataTransfer: data });
  await expect(page.getByText("This is a file with 1 flag.")).toBeVisible();
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  const choice = page.getByRole("radiogroup", { name: "What happens there?" });
  const changes = page.getByRole("list", { name: "Changes" });
  await expect(changes.getByText("On for everyone.")).toHaveCount(2);
  await expectAccessible(page);
  await choice.getByRole("radio", { name: "Leave these environments out" }).check();
  await expect(changes.getByText("On for everyone.")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Apply 1 change" })).toBeEnabled();
  await choice.getByRole("radio", { name: "Open one change request" }).check();
  await page.getByRole("button", { name: "Apply, and propose 1 change" }).click();
  await page.getByRole("link", { name: "Show change request" }).click();
  await expect(page.getByRole("heading", { name: "The file of file" })).toBeVisible();
  const list = await api.get<Schemas["FlagPage"]>(`/api/v1/flags?projectId=${project.id}`);
  expect(list.items.map(({ key }) => key)).toEqual(["cart"]);
});

test("the switch of a flag warns where a file manages it, also outside of production", async ({
  page,
  api,
  world,
  openAs,
}) => {
  await applied(api, world);
  await openAs("DEVELOPER", listPath(world));
  const managed = page.getByRole("switch", { name: "Cart in development" });
  await managed.click();
  const question = page.getByRole("dialog", { name: "Turn off Cart in development?" });
  await expect(question.getByRole("status")).toContainText("The file of shop-repo manages");
  await expectAccessible(page);
  await question.getByRole("button", { name: "Turn off" }).click();
  await expect(managed).not.toBeChecked();
  await page.getByRole("switch", { name: "Cart in production" }).click();
  const other = page.getByRole("dialog", { name: "Turn on Cart in production?" });
  await expect(other.getByRole("button", { name: "Turn on" })).toBeVisible();
  await expect(other).not.toContainText("shop-repo");
});

test("files of LaunchDarkly fill the environment of the same name, and the report says what changes", async ({
  page,
  world: { project },
  openAs,
}) => {
  const variations = [30_000, 70_000].map((weight, variation) => ({ variation, weight }));
  const state = { on: true, rules: [], fallthrough: { rollout: { variations } }, offVariation: 1 };
  const search = {
    key: "search",
    variations: [{ value: true }, { value: false }],
    environments: { production: state, other: state },
  };
  const links = { self: { href: "/api/v2/segments/shop/other" } };
  await openAs("DEVELOPER", `/projects/${project.id}/export`);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose files" }).click();
  const files = await chooser;
  await files.setFiles([
    jsonFile("flags.json", { items: [search] }),
    jsonFile("segments.json", { items: [], _links: links }),
  ]);
  await expect(page.getByRole("button", { name: "Remove segments.json" })).toBeVisible();
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByRole("combobox", { name: "production" })).toHaveValue("production");
  await expect(page.getByRole("combobox", { name: "other" })).toHaveValue("");
  await expect(page.getByRole("row", { name: "search Changed" })).toContainText(
    "production: has a percentage roll-out",
  );
  await expectAccessible(page);
});

const jsonFile = (name: string, value: object) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(JSON.stringify(value)),
});
