import { baseUrl } from "./support/api.ts";
import { expect, test } from "./support/test.ts";

// All other tests run behind the same proxy (support/service.ts): those of users, contexts, members,
// reverts, change requests and so on save with the weak ETags that this test shows.
test("behind a proxy that makes ETags weak, a form saves with the tag that it has loaded, and once more with the next", async ({
  page,
  api,
  world,
  openAs,
}) => {
  const path = `/api/v1/projects/${world.project.id}`;
  const saved = page.waitForResponse(
    (response) => response.request().method() === "PUT" && response.url().endsWith(path),
  );
  await openAs("ADMIN", `/projects/${world.project.id}/settings`);
  const description = page.getByRole("textbox", { name: "Description" });
  const save = page.getByRole("button", { name: "Save" });
  for (const text of ["First", "Second"]) {
    await description.fill(text);
    await save.click();
    await expect(save).toBeDisabled();
    await expect.poll(() => api.get(path)).toMatchObject({ description: text });
  }
  const response = await saved;
  expect(response.url()).toContain(baseUrl());
  expect(await response.request().headerValue("If-Match")).toMatch(/^W\/"\d+"$/);
  expect(response.headers()["etag"]).toMatch(/^W\/"\d+"$/);
});
