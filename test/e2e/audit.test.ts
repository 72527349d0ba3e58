import { type Api, request, type Schemas } from "./support/api.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { newFlag, newKey, type World } from "./support/world.ts";

type Rule = Schemas["ClientRule"];

const setStrategy = (
  api: Api,
  flag: Schemas["Flag"],
  { production }: World,
  change: Partial<Schemas["SetStrategy"]>,
) => api.put(`/api/v1/flags/${flag.id}/strategies`, { environmentId: production.id, ...change });

const keysSeenBySdk = async (apiKey: string): Promise<string[]> => {
  const rules = await request<Rule[]>("GET", "/api/client/features", { token: apiKey });
  return rules.map(({ key }) => key);
};

test("the audit trail shows who changed what, with the values before and after", async ({
  page,
  world,
  api,
  signInAs,
  consoleErrors,
}) => {
  const flag = await newFlag(api, world, { name: "One-page checkout" });
  await setStrategy(api, flag, world, { enabled: true, percentage: 10 });
  const country = {
    field: "country",
    contextType: "string" as const,
    operator: "in" as const,
    values: ["DE", "AT"],
  };
  await setStrategy(api, flag, world, { percentage: 25, constraints: [country] });
  await signInAs("ADMIN");
  await page.goto(`/projects/${world.project.id}/audit`);

  const record = page
    .getByRole("listitem")
    .filter({ hasText: "Roll-out changed from 10% to 25% and 1 constraint added" });
  await expect(record).toContainText("admin@example.com");
  await expect(record).toContainText("production");
  await record.getByRole("button", { name: /^Details/ }).click();
  await expect(record.getByRole("deletion")).toHaveText(/10%/);
  await expect(record.getByRole("insertion").filter({ hasText: "25%" })).toBeVisible();
  await expect(record.getByRole("insertion").filter({ hasText: "DE" })).toContainText("country");
  await expect(record.getByRole("button", { name: "Copy trace ID" })).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);

  await record.getByRole("link", { name: "One-page checkout" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "One-page checkout" })).toBeVisible();
  expect(consoleErrors).toEqual([]);
});

test("the audit trail shows what changed in a long list, and names items by their current names", async ({
  page,
  world,
  api,
  signInAs,
  consoleErrors,
}) => {
  const { project } = world;
  const flag = await newFlag(api, world, { name: "Long list" });
  const inUsers = (...values: string[]) => ({
    constraints: [
      { field: "userId", contextType: "string" as const, operator: "in" as const, values },
    ],
  });
  const users = (start: string) =>
    Array.from({ length: 500 }, (_, n) => `${start}${n}`.padEnd(50, "-"));
  await setStrategy(api, flag, world, inUsers(...users("a")));
  await setStrategy(api, flag, world, inUsers(...users("a"), "newcomer"));
  await setStrategy(api, flag, world, inUsers(...users("b")));
  const tag = await api.post<Schemas["Tag"]>("/api/v1/tags", {
    name: "Team blue",
    color: "#2f9e44",
    projectId: project.id,
  });
  await api.put(`/api/v1/tags/${tag.id}`, { color: "#1971c2" });
  await signInAs("ADMIN");
  await page.goto(`/projects/${project.id}/audit`);

  const records = page.locator("ol").getByRole("listitem");
  await expect(records.filter({ hasText: "colour changed" })).toContainText("Team blue");
  const changes = records.filter({ hasText: "Constraints changed" });
  await expect(changes).toHaveCount(2);
  const added = changes.nth(1);
  await added.getByRole("button", { name: /^Details/ }).click();
  await expect(added.getByRole("insertion")).toContainText("newcomer");
  await expect(added.getByRole("insertion")).toContainText("and 500 unchanged items");
  const replaced = changes.nth(0);
  await replaced.getByRole("button", { name: /^Details/ }).click();
  await expect(replaced.getByRole("insertion")).toContainText(
    "500 items, too long for the audit log",
  );
  await expectAccessible(page);
  expect(consoleErrors).toEqual([]);
});

test("the audit trail keeps its filters in the URL, and ignores an invalid filter", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  const { project } = world;
  const flag = await newFlag(api, world);
  await setStrategy(api, flag, world, { enabled: true });
  await api.post("/api/v1/segments", { name: "Beta testers", projectId: project.id });
  await signInAs("ADMIN");
  await page.goto(`/projects/${project.id}/audit`);
  const records = page.locator("ol").getByRole("listitem");
  await expect(records.first()).toBeVisible();

  await page.getByRole("combobox", { name: "What" }).click();
  await page.getByRole("option", { name: "Segment" }).click();
  await expect(page).toHaveURL(/type=segment/);
  await expect(records).toHaveCount(1);
  await expect(records).toContainText("Beta testers");
  await records.getByRole("button", { name: /^Details/ }).click();
  await page.reload();
  await expect(records).toHaveCount(1);

  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("combobox", { name: "Environment" }).click();
  await page.getByRole("option", { name: "production" }).click();
  await expect(records.filter({ hasText: "Turned on" })).toHaveCount(1);
  await expect(records.filter({ hasText: "Beta testers" })).toHaveCount(0);

  await page.goto(`/projects/${project.id}/audit?to=2020-01-01&page=-1&type=nonsense`);
  await expect(page.getByText("No events match these filters")).toBeVisible();
  await expect(page.getByLabel("To", { exact: true })).toHaveValue("2020-01-01");
  await expectAccessible(page);
});

test("the audit trail shows a loading error with its trace id, and loads again on request", async ({
  page,
  world,
  signInAs,
}) => {
  await signInAs("ADMIN");
  let isDown = true;
  await page.route("**/api/v1/audit?*", (route) =>
    isDown
      ? route.fulfill({
          status: 400,
          json: { error: "Out of order", code: "BAD_REQUEST", traceId: "4bf92f3577b34da6" },
        })
      : route.continue(),
  );
  await page.goto(`/projects/${world.project.id}/audit`);
  await expect(page.getByRole("alert")).toContainText("4bf92f3577b34da6");
  isDown = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: world.project.name })).toBeVisible();
});

test("a viewer sees a project's audit trail without IP addresses, and only administrators see the audit log of the organisation", async ({
  page,
  browser,
  baseURL,
  world,
  signInAs,
}) => {
  await signInAs("ADMIN");
  await page.goto("/audit");
  const heading = page.getByRole("heading", { level: 1, name: "Organisation audit log" });
  await expect(heading).toBeVisible();
  await page.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "Security" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Signed in" }).first()).toBeVisible();

  const others = await browser.newPage({ ...(baseURL !== undefined && { baseURL }) });
  await signInAs("VIEWER", others);
  await others.goto("/audit");
  await expect(others.getByText("Only administrators can see this page")).toBeVisible();
  await others.goto(`/projects/${world.project.id}/audit`);
  const created = others.getByRole("listitem").filter({ hasText: world.project.name });
  await created.getByRole("button", { name: /^Details/ }).click();
  await expect(created).toContainText("project.created");
  await expect(created).not.toContainText("127.0.0.1");
  await others.close();
});

test("the page of a flag shows the history of that flag, and links to the audit trail", async ({
  page,
  world,
  api,
  signInAs,
}) => {
  const flag = await newFlag(api, world, { name: "Dark mode" });
  await newFlag(api, world, { name: "Apple Pay" });
  await setStrategy(api, flag, world, { enabled: true });
  await signInAs("VIEWER");
  await page.goto(`/projects/${world.project.id}/flags/${flag.id}?tab=history`);
  const history = page.getByRole("tabpanel", { name: "History" });
  await expect(history.getByRole("listitem")).toHaveCount(2);
  await expect(history.getByRole("listitem").first()).toContainText("Turned on");
  await history.getByRole("link", { name: "View in audit log" }).click();
  await expect(page.getByText("Only Dark mode")).toBeVisible();
  await expect(page.locator("ol").getByRole("listitem")).toHaveCount(2);
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(page.getByRole("link", { name: "Apple Pay" })).toBeVisible();
});

test("SDKs do not get an archived flag, and the audit trail still shows the name of a deleted flag", async ({
  page,
  world,
  api,
  signInAs,
  consoleErrors,
}) => {
  const flag = await newFlag(api, world, { name: "Winter sale" });
  await setStrategy(api, flag, world, { enabled: true });
  const { apiKey } = await newKey(api, world.production);
  expect(await keysSeenBySdk(apiKey)).toEqual([flag.key]);
  await signInAs("DEVELOPER");
  await page.goto(`/projects/${world.project.id}/flags/${flag.id}`);

  await page.getByRole("button", { name: "Archive", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Archive “Winter sale”?" });
  await question.getByRole("button", { name: "Archive", exact: true }).click();
  await expect(page.getByRole("button", { name: "Unarchive" })).toBeVisible();
  await expect.poll(() => keysSeenBySdk(apiKey)).toEqual([]);

  await page.getByRole("button", { name: "Unarchive" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Unarchive" }).click();
  await expect.poll(() => keysSeenBySdk(apiKey)).toEqual([flag.key]);

  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await question.getByRole("button", { name: "Archive", exact: true }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  const deletion = page.getByRole("dialog", { name: "Delete “Winter sale”?" });
  await deletion.getByRole("textbox").fill("something else");
  await expect(deletion.getByRole("button", { name: "Delete permanently" })).toBeDisabled();
  await deletion.getByRole("textbox").fill(flag.key);
  await deletion.getByRole("button", { name: "Delete permanently" }).click();
  await expect(page).toHaveURL(new RegExp(`/projects/${world.project.id}/flags$`));
  await expect(api.get(`/api/v1/flags/${flag.id}`)).rejects.toThrow("404");

  // Audit records of the deleted flag still show the flag's name, even if a filter hides the record
  // of the deletion.
  await page.goto(`/projects/${world.project.id}/audit?environment=${world.production.id}`);
  const change = page.getByRole("listitem").filter({ hasText: "Turned on" });
  await expect(change).toContainText("Winter sale");
  await expect(page.getByText("Flag deleted")).toBeHidden();

  // A page number beyond the last page shows the last page.
  await page.goto(`/projects/${world.project.id}/audit?environment=${world.production.id}&page=9`);
  await expect(change).toBeVisible();
  await expect(page).toHaveURL(/environment=\d+$/);
  expect(consoleErrors).toEqual([]);
});

test("a viewer sees no button to archive a flag", async ({ page, world, api, signInAs }) => {
  const flag = await newFlag(api, world);
  await signInAs("VIEWER");
  await page.goto(`/projects/${world.project.id}/flags/${flag.id}`);
  await expect(page.getByRole("tab", { name: "History" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Archive", exact: true })).toHaveCount(0);
});
