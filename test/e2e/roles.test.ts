import type { Schemas } from "./support/api.ts";
import {
  addressOf,
  type DemoIds,
  demoIds,
  follow,
  followAndLoad,
  open,
  routedPaths,
} from "./support/pages.ts";
import { expect, type Page, test } from "./support/test.ts";

/** The names of the buttons that change what all users see. */
const CHANGES =
  /^(New|Create|Edit|Save|Delete|Add|Archive|Unarchive|Clone|Copy to|Rename|Revoke|Revert|Send|Resend|Retry)\b(?! field)/;

/** The pages of a project that only administrators can change. */
const OF_ADMINISTRATORS = [
  "/projects",
  "/projects/$projectId/environments",
  "/projects/$projectId/api-keys",
  "/projects/$projectId/integrations",
  "/projects/$projectId/integrations/$integrationId",
  "/projects/$projectId/settings",
];

const main = (page: Page) => page.getByRole("main");

/** Opens the pages, and expects that none has a control that changes something. */
async function expectNoControls(page: Page, paths: readonly string[], ids: DemoIds): Promise<void> {
  await open(page, "/profile");
  for (const path of paths) {
    await followAndLoad(page, addressOf(path, ids));
    await expect.soft(main(page).getByRole("button", { name: CHANGES }), path).toHaveCount(0);
    await expect.soft(main(page).getByRole("switch"), path).toHaveCount(0);
    await expect.soft(main(page).getByRole("checkbox"), path).toHaveCount(0);
  }
}

test("a viewer reads every page of a project, and finds no control that changes it", async ({
  page,
  api,
  signInAs,
}) => {
  const ids = await demoIds(api);
  await signInAs("VIEWER");
  const paths = routedPaths().filter((path) => path.startsWith("/projects"));
  await expectNoControls(page, paths, ids);

  await followAndLoad(page, addressOf("/projects/$projectId/flags", ids));
  await page
    .getByRole("button", { name: /^Actions for / })
    .first()
    .click();
  await expect(page.getByRole("menuitem")).toHaveText([
    "Open",
    "Compare environments",
    "History",
    "Copy key",
  ]);
});

test("a developer reads the pages that only administrators can change, finds no control that changes them, and has no access to the pages of the organisation", async ({
  page,
  api,
  signInAs,
}) => {
  const ids = await demoIds(api);
  await signInAs("DEVELOPER");
  await expectNoControls(page, OF_ADMINISTRATORS, ids);
  await expect(page.getByText("Only administrators can change projects.")).toBeVisible();

  await followAndLoad(page, addressOf("/projects/$projectId/tags", ids));
  await expect(page.getByRole("link", { name: "Segments" })).toBeVisible();
  for (const name of ["Users", "Service accounts", "Organisation audit log", "Settings"])
    await expect(page.getByRole("link", { name, exact: true })).toHaveCount(0);
  await page.keyboard.press("Control+K");
  await page.getByRole("combobox", { name: "Go to …" }).fill("complete audit");
  await expect(page.getByText("Nothing found")).toBeVisible();

  for (const path of ["/users", "/service-accounts", "/settings", "/settings/sign-on"]) {
    await followAndLoad(page, path);
    await expect(page.getByText("You do not have access to this page")).toBeVisible();
    await expect(page.getByText("Trace ID")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  }
  await follow(page, "/audit");
  await expect(page.getByText("Only administrators can see this page")).toBeVisible();
});

test("the guided start says which role can do a step when the user may not do it", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const empty = await api.post<Schemas["Project"]>("/api/v1/projects", {
    name: `Empty ${crypto.randomUUID().slice(0, 8)}`,
  });
  await openAs("VIEWER", `/projects/${empty.id}/start`);
  await expect(page.getByText("Administrators can create environments")).toBeVisible();
  await expect(main(page).getByRole("button")).toHaveCount(0);
  await follow(page, `/projects/${world.project.id}/start`);
  await expect(page.getByText("Developers and administrators can create flags")).toBeVisible();
  await expect(main(page).getByRole("button")).toHaveCount(0);
});
