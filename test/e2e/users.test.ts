import type { Api, Schemas } from "./support/api.ts";
import { lastMailTo } from "./support/mail.ts";
import { join } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";

const newAddress = () => `ann-${crypto.randomUUID().slice(0, 8)}@example.com`;

async function act(page: Page, email: string, action: string): Promise<void> {
  await page.getByRole("searchbox", { name: "Search by name or e-mail" }).fill(email);
  // The row moves when the other rows disappear. The first row has the column headings.
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("row", { name: email }).getByRole("button", { name: "Actions for" }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function userOf(api: Api, email: string): Promise<Schemas["User"] | undefined> {
  for (let page = 0; ; page++) {
    const users = await api.get<Schemas["User"][]>(`/api/v1/users?size=100&page=${page}`);
    const found = users.find((user) => user.email === email);
    if (found || users.length === 0) return found;
  }
}

test("an administrator invites, promotes and deletes a user", async ({ page, openAs }) => {
  const email = newAddress();
  await openAs("ADMIN", "/users");
  await expect(page.getByRole("row", { name: "admin@example.com" })).toContainText("You");

  await page.getByRole("button", { name: "Invite user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "E-mail" }).fill("admin@example.com");
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await expect(dialog.getByText("This e-mail address already has an account.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "E-mail" }).fill(email);
  await dialog.getByRole("textbox", { name: "Name" }).fill("Ann Example");
  await dialog.getByRole("radio", { name: "Developer" }).check();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await expect(page.getByText(`Invitation sent to ${email}`)).toBeVisible();
  const first = await lastMailTo(email);
  await act(page, email, "Resend invitation");
  await expect.poll(() => lastMailTo(email)).not.toBe(first);

  await act(page, email, "Edit");
  await dialog.getByRole("radio", { name: "Administrator" }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: email })).toContainText("Administrator");

  await act(page, email, "Delete");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("No users found")).toBeVisible();
});

test("the page of users disables a user, and shows why the service did not reset a second factor or save a change", async ({
  page,
  api,
  openAs,
}) => {
  const person = await join(api, "VIEWER");
  await openAs("ADMIN", "/users");
  await act(page, person.email, "Edit");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("signs this user out everywhere")).toBeVisible();
  await dialog.getByRole("switch", { name: "Can sign in" }).uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row", { name: person.email })).toContainText("Disabled");

  await act(page, person.email, "Reset two-factor authentication");
  await dialog.getByRole("button", { name: "Reset two-factor authentication" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "does not use two-factor" });
  await expect(alert).toBeVisible();

  await act(page, person.email, "Edit");
  const { id } = (await userOf(api, person.email)) ?? {};
  await api.put(`/api/v1/users/${id}`, { name: "Renamed meanwhile" });
  await dialog.getByRole("radio", { name: "Developer" }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Someone else changed this");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Leave without saving" }).click();

  // Simulates the 409 that protects the last administrator, because other tests need the real
  // administrator.
  await page.route(`**/api/v1/users/${id}`, (route) =>
    route.request().method() === "GET"
      ? route.continue()
      : route.fulfill({ status: 409, json: { code: "CONFLICT", error: "no", traceId: "0af7" } }),
  );
  await act(page, person.email, "Edit");
  await dialog.getByRole("radio", { name: "Developer" }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("This is the last administrator.");
});

test("the page of users reports an invitation mail that could not be sent, and sends it again", async ({
  page,
  openAs,
}) => {
  const email = newAddress();
  await openAs("ADMIN", "/users");
  await page.route("**/api/v1/users/invite", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), invitationSent: false } });
  });
  await page.getByRole("button", { name: "Invite user" }).click();
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.keyboard.press("Enter");
  const notice = page.getByRole("alert").filter({ hasText: `The e-mail to ${email}` });
  await expect(notice).toBeVisible();
  await notice.getByRole("button", { name: "Resend invitation" }).click();
  await expect(page.getByText(`Invitation sent to ${email}`)).toBeVisible();
  await expect(notice).toBeHidden();
});
