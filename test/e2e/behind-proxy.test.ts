import { expect, test } from "./support/test.ts";

// All other tests run behind the same proxy (support/service.ts): those of users, contexts, protection,
// reverts, change requests and so on save with the weak ETags that this test shows.
test("behind a proxy that makes ETags weak, a form saves with the weak tag that it has loaded", async ({
  page,
  world,
  openAs,
}) => {
  const path = `/api/v1/projects/${world.project.id}`;
  await openAs("ADMIN", `/projects/${world.project.id}/settings`);
  const saved = page.waitForResponse(
    (response) => response.request().method() === "PUT" && response.url().endsWith(path),
  );
  await page.getByRole("textbox", { name: "Description" }).fill("What customers see");
  await page.getByRole("button", { name: "Save" }).click();
  const response = await saved;
  expect(await response.request().headerValue("If-Match")).toMatch(/^W\/"\d+"$/);
  expect([response.status(), response.headers()["etag"]]).toEqual([
    200,
    expect.stringMatching(/^W\/"\d+"$/),
  ]);
});
