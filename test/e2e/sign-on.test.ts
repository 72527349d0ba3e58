import type { Schemas } from "./support/api.ts";
import { expect, test } from "./support/test.ts";

test("an administrator adds GitHub from its preset, tests the sign-in, edits and deletes the provider, and cannot turn passwords off after a sign-in with a password", async ({
  page,
  api,
  openAs,
}) => {
  const slug = `github-${crypto.randomUUID().slice(0, 8)}`;
  const row = page.getByRole("row", { name: slug });
  const dialog = page.getByRole("dialog");
  await openAs("ADMIN", "/settings/sign-on");

  await page.getByRole("button", { name: "Add provider" }).click();
  await dialog.getByRole("combobox", { name: "Provider" }).click();
  await page.getByRole("option", { name: "Okta" }).click();
  await dialog.getByRole("textbox", { name: "Client ID" }).fill("0oa1b2c3d4");
  await dialog.getByRole("button", { name: "Add provider" }).click();
  await expect(dialog.getByText("Replace the part in braces.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Issuer" }).fill("http://localhost:9");
  await dialog.getByRole("button", { name: "Add provider" }).click();
  const unchecked = page.getByRole("dialog", { name: "Save without the check?" });
  await expect(unchecked).toContainText("localhost:9 does not respond");
  await unchecked.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog.getByRole("textbox", { name: "Issuer" })).toBeFocused();
  await dialog.getByRole("combobox", { name: "Provider" }).click();
  await page.getByRole("option", { name: "GitHub" }).click();
  await dialog.getByRole("textbox", { name: "Slug" }).fill(slug);
  const callbackUrl = dialog.getByRole("textbox", { name: "Callback URL" });
  await expect(callbackUrl).toHaveValue(
    new RegExp(`^http://localhost:\\d+/api/v1/auth/sign-on/${slug}/callback$`),
  );
  await dialog.getByRole("textbox", { name: "Client secret" }).fill("a secret");
  // The provider is off until a test succeeds.
  await expect(dialog.getByRole("switch", { name: "Users can sign in" })).not.toBeChecked();
  await dialog.getByRole("button", { name: "Add provider" }).click();
  await expect(row).toContainText("Invited users only");

  // GitHub, where the administrator cancels.
  await page.route("https://github.com/**", async (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const back = new URL(asked.get("redirect_uri") ?? "");
    back.searchParams.set("state", asked.get("state") ?? "");
    back.searchParams.set("error", "access_denied");
    const body = `<script>location.replace(${JSON.stringify(back.href)})</script>`;
    await route.fulfill({ contentType: "text/html", body });
  });
  await row.getByRole("button", { name: "Test sign-in" }).click();
  const result = page.getByRole("alert");
  await expect(result).toContainText("The sign-in with GitHub does not work");
  await expect(result).toContainText("The sign-in was cancelled at the provider.");
  await result.getByRole("button", { name: "Close" }).click();
  await expect(result).toBeHidden();

  await row.getByRole("button", { name: "Edit GitHub" }).click();
  await dialog.getByRole("button", { name: "Add group" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("textbox", { name: "Group", exact: true })).toBeFocused();
  await dialog.getByRole("textbox", { name: "Group", exact: true }).fill("acme/developers");
  const domains = dialog.getByRole("combobox", { name: "E-mail domains" });
  await domains.fill("example.com");
  await domains.press(",");
  await dialog.getByRole("checkbox", { name: "Remove the stored secret" }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("example.com");
  const providers = await api.get<Schemas["IdentityProvider"][]>(
    "/api/v1/settings/identity-providers?size=100",
  );
  expect(providers.find((provider) => provider.slug === slug)).toMatchObject({
    hasSecret: false,
    domains: ["example.com"],
    roles: [{ group: "acme/developers", role: "VIEWER" }],
  });

  await page.getByRole("switch", { name: "Require single sign-on" }).click();
  await dialog.getByRole("button", { name: "Require" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "you have signed in with a password",
  );
  await expect(page.getByRole("switch", { name: "Require single sign-on" })).not.toBeChecked();

  await row.getByRole("button", { name: "Delete GitHub" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(row).toBeHidden();
});
