import { readFileSync } from "node:fs";
import { Secret, TOTP } from "otpauth";
import { Api } from "./support/api.ts";
import { follow } from "./support/pages.ts";
import { join, type Person } from "./support/people.ts";
import { expect, expectAccessible, type Page, signIn, test } from "./support/test.ts";
import { newWorld } from "./support/world.ts";

/** Opens the tab of the profile that says how the user signs in. */
const openSecurity = (page: Page): Promise<void> =>
  page.getByRole("link", { name: "Sign-in and security" }).click();

/** Creates a VIEWER with a session on the page, and opens the user's profile. */
async function openProfile(page: Page, api: Api): Promise<Person> {
  const person = await join(api, "VIEWER");
  await signIn(page, person);
  await page.goto("/profile");
  await expect(page.getByRole("heading", { level: 1, name: "Your profile" })).toBeVisible();
  return person;
}

/** Signs in with the form. */
async function enter(page: Page, { email, password }: Person): Promise<void> {
  await page.getByRole("textbox", { name: "E-mail" }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByText("Sign in to your account")).toBeVisible();
}

test("a user changes name, language and password on the profile page, without a reload", async ({
  page,
  api,
}) => {
  const person = await openProfile(page, api);
  await page.getByRole("textbox", { name: "Name" }).fill("Ann Example");
  await page.getByRole("button", { name: "Save" }).click();
  const account = page.getByRole("button", { name: /^Your account: Ann Example/ });
  await expect(account).toContainText("Viewer");

  await account.press("Enter");
  await page.getByRole("menuitemradio", { name: "Dark" }).press("Enter");
  await expectAccessible(page);
  await page.getByRole("menuitemradio", { name: "Deutsch" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Eigenes Profil" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("radio", { name: "Deutsch" })).toBeChecked();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Ann Example");
  await page.getByRole("radio", { name: "English" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your profile" })).toBeVisible();

  await openSecurity(page);
  const change = page.getByRole("button", { name: "Change password" });
  await page.getByLabel("Current password").fill("this is not it");
  await page.getByLabel("New password").fill("staple-horse-battery");
  await change.click();
  await expect(page.getByText("The current password is incorrect")).toBeVisible();
  await page.getByLabel("Current password").fill(person.password);
  await change.click();
  await expect(page.getByText("Password changed.")).toBeVisible();
  await expect(page.getByLabel("Current password")).toHaveValue("");
});

test("a user sets up a second factor, signs in with a recovery code, and turns it off", async ({
  page,
  api,
}) => {
  // If the demo project were the only project, the dashboard would open its flags after sign-in,
  // instead of the list of projects.
  await newWorld(api);
  const person = await openProfile(page, api);
  await openSecurity(page);
  await page.getByRole("button", { name: "Set up two-factor authentication" }).click();
  const dialog = page.getByRole("dialog");
  const password = dialog.getByLabel("Password", { exact: true });
  await expect(password).toBeFocused();
  await password.fill("this is not it");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("The current password is incorrect")).toBeVisible();
  await password.fill(person.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("img", { name: "QR code" })).toBeVisible();
  await expectAccessible(page);
  const code = page.getByRole("textbox", { name: "Code" });
  await expect(code).toBeFocused();
  await code.fill("000000");
  await page.getByRole("button", { name: "Enable" }).click();
  await expect(page.getByText("This code is invalid")).toBeVisible();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  const key = await dialog.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{4}$/).innerText();
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(" ", "")) });
  await code.fill(totp.generate());
  await page.getByRole("button", { name: "Enable" }).click();

  const list = page.getByRole("list", { name: "Recovery codes" });
  await expect(list.getByRole("listitem")).toHaveCount(10);
  await expectAccessible(page);
  const codes = await list.getByRole("listitem").allInnerTexts();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("feature-flags-recovery-codes.txt");
  expect(readFileSync(await download.path(), "utf8")).toContain(codes.join("\n"));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "I've saved these codes" }).click();
  await expect(page.getByText("10 recovery codes left")).toBeVisible();

  await signOut(page);
  await enter(page, person);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByRole("textbox", { name: "Recovery code" }).fill(codes[0] ?? "");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Projects" })).toBeVisible();

  await follow(page, "/profile/security");
  await expect(page.getByText("9 recovery codes left")).toBeVisible();
  await page.getByRole("button", { name: "Generate new recovery codes" }).click();
  await code.fill(codes[1] ?? "");
  await password.fill(person.password);
  await dialog.getByRole("button", { name: "Generate new recovery codes" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(10);
  const renewed = await list.getByRole("listitem").allInnerTexts();
  await page.getByRole("button", { name: "I've saved these codes" }).click();
  await page.getByRole("button", { name: "Disable" }).click();
  await password.fill(person.password);
  await code.fill(renewed[0] ?? "");
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("Two-factor authentication is disabled.")).toBeVisible();
});

test("the profile page lists all sessions of the user, and can end the other sessions", async ({
  page,
  api,
}) => {
  const person = await join(api, "VIEWER");
  for (let n = 0; n < 2; n++) await Api.signIn(person);
  await page.goto("/profile/security");
  await enter(page, person);
  const sessions = page.getByRole("listitem").filter({ hasText: /since/ });
  await expect(sessions).toHaveCount(4);
  await expect(sessions.first()).toContainText("Chrome on Linux");
  await expect(sessions.first()).toContainText("This device");
  await sessions.nth(1).getByRole("button", { name: "Sign out node" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect(sessions).toHaveCount(3);
  await page.getByRole("button", { name: "Sign out all other sessions" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: "Sign out all other sessions" })
    .click();
  await expect(sessions).toHaveCount(1);
});

test("the dashboard opens the profile page for a user whose deadline for a second factor has passed", async ({
  page,
  signInAs,
}) => {
  await signInAs("VIEWER");
  await page.route("**/api/v1/auth/mfa", (route) =>
    route.fulfill({
      json: {
        enabled: false,
        recoveryCodesLeft: 0,
        mfaEnrollmentDeadline: "2020-01-02T03:04:05.678Z",
      },
    }),
  );
  await page.goto("/projects");
  await expect(page).toHaveURL("/profile/security");
  await expect(page.getByText("Your access ended on")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Sessions" })).toBeVisible();
  await page.getByRole("link", { name: "Tokens and agents" }).click();
  await expect(page.getByRole("heading", { name: "Tokens and agents" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2 })).toHaveCount(0);
});

test("the profile page links an account at an identity provider, and explains why it does not unlink the last one", async ({
  page,
  api,
}) => {
  await page.route("**/api/v1/auth/sign-on", (route) =>
    route.fulfill({
      json: [
        { slug: "okta", name: "Okta", type: "oidc" },
        { slug: "github", name: "GitHub", type: "github" },
      ],
    }),
  );
  const account = {
    id: "b25l",
    issuer: "https://example.okta.com",
    provider: { slug: "okta", name: "Okta" },
    email: "ann@example.com",
    createdAt: "2026-01-02T03:04:05.678Z",
    lastUsedAt: null,
  };
  await page.route("**/api/v1/auth/me/identities", (route) => route.fulfill({ json: [account] }));
  await page.route("**/api/v1/auth/me/identities/*", (route) =>
    route.fulfill({ status: 409, json: { code: "CONFLICT", error: "It is the last way" } }),
  );
  const { password } = await openProfile(page, api);
  await openSecurity(page);
  // The service asks for the password, as if the sign-in was long ago. The provider sends the browser
  // back at once.
  const details = [{ field: "currentPassword", message: "must be the current password" }];
  await page.route("**/api/v1/auth/sign-on/github", (route) =>
    route.request().postDataJSON().currentPassword === password
      ? route.fulfill({ json: { url: "/profile/security?signOn=link" } })
      : route.fulfill({ status: 400, json: { code: "VALIDATION_ERROR", error: "", details } }),
  );
  const link = page.getByRole("button", { name: /^Link / });
  await expect(link).toHaveText(["Link GitHub"]);
  await link.click();
  await page.getByRole("dialog").getByLabel("Current password").fill(password);
  await expectAccessible(page);
  const begun = page.waitForRequest("**/api/v1/auth/sign-on/github");
  await page.getByRole("button", { name: "Continue" }).click();
  const request = await begun;
  expect(request.postDataJSON()).toEqual({
    intent: "link",
    returnTo: "/profile/security",
    currentPassword: password,
  });
  expect(request.headers()).toHaveProperty("authorization");
  await expect(page.getByRole("status").filter({ hasText: "is linked" })).toBeVisible();

  await page.getByRole("button", { name: "Unlink Okta (ann@example.com)" }).click();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
  await expect(page.getByRole("alert")).toContainText("You cannot sign in without this account");
});
