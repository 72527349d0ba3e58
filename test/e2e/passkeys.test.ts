import { join, type Person } from "./support/people.ts";
import { expect, expectAccessible, type Page, signIn, test } from "./support/test.ts";

/** Gives the browser an authenticator that confirms every request, as a fingerprint would. */
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByText("Sign in to your account")).toBeVisible();
}

async function addPasskey(page: Page, { password }: Person): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await expect(dialog.getByLabel("Name")).toHaveValue(/Chrom/);
  await dialog.getByLabel("Name").fill("Work laptop");
  await expectAccessible(page);
  await dialog.getByLabel("Current password").fill("this is not it");
  await dialog.getByRole("button", { name: "Add a passkey" }).click();
  await expect(dialog.getByText("The current password is incorrect")).toBeVisible();
  await dialog.getByLabel("Current password").fill(password);
  await dialog.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Passkey added. You can sign in with it.")).toBeVisible();
  await expect(page.getByText("never used")).toBeVisible();
}

test("a user adds a passkey, signs in with it, uses it as the second factor, renames and removes it", async ({
  page,
  api,
}) => {
  const person = await join(api, "VIEWER");
  await addAuthenticator(page);
  await signIn(page, person);
  await page.goto("/profile/security");
  await addPasskey(page, person);

  await signOut(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("button", { name: /^Your account/ })).toBeVisible();

  await signOut(page);
  await page.getByRole("textbox", { name: "E-mail" }).fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("Confirm the sign-in with your passkey.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use a passkey" }).press("Enter");
  await expect(page.getByRole("button", { name: /^Your account/ })).toBeVisible();

  await page.goto("/profile/security");
  await page.getByRole("button", { name: "Rename Work laptop" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Old laptop");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Remove Old laptop" }).click();
  await page.getByRole("dialog").getByLabel("Current password").fill(person.password);
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("You have no passkeys.")).toBeVisible();
});
