import * as oauth from "openid-client";
import { baseUrl, type Schemas } from "./support/api.ts";
import { join } from "./support/people.ts";
import { expect, expectAccessible, signIn, test } from "./support/test.ts";

const REDIRECT = "https://agent.example.com/callback";

test("a user connects an agent with fewer rights, the agent gets and refreshes tokens, and the user revokes them", async ({
  page,
  api,
}) => {
  const person = await join(api, "DEVELOPER");
  await signIn(page, person);
  const { clientId } = await api.post<Schemas["OAuthClient"]>("/api/v1/settings/oauth-clients", {
    name: "Coding agent",
    redirectUris: [REDIRECT],
  });
  await page.route(`${REDIRECT}*`, (route) => route.fulfill({ body: "Connected" }));

  // The library checks the metadata, PKCE, and the state and issuer of the response.
  const config = await oauth.discovery(
    new URL("/api/oauth", baseUrl()),
    clientId,
    undefined,
    oauth.None(),
    { algorithm: "oauth2", execute: [oauth.allowInsecureRequests] },
  );
  const resource = new URL("/api/mcp", baseUrl()).href;
  const verifier = oauth.randomPKCECodeVerifier();
  const asked = oauth.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: "read write",
    state: "0123",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource,
  });
  await page.goto(asked.href);
  await expect(page.getByText("Coding agent asks to act in your name")).toBeVisible();
  await expect(page.getByText("agent.example.com")).toBeVisible();
  await expect(page.getByRole("radio", { name: "All except production" })).toBeChecked();
  await page.getByRole("checkbox", { name: "Write" }).uncheck();
  await page.getByLabel("Current password").fill(person.password);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Connected")).toBeVisible();

  const checks = { pkceCodeVerifier: verifier, expectedState: "0123" };
  const answer = new URL(page.url());
  const tokens = await oauth.authorizationCodeGrant(config, answer, checks, { resource });
  expect(tokens.scope).toBe("read");
  const next = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? "", { resource });
  expect(next.access_token).not.toBe(tokens.access_token);

  await page.goto(`${baseUrl()}/profile/tokens`);
  await page.getByRole("button", { name: "Revoke the access of Coding agent" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("No connected agents")).toBeVisible();
  await expect(
    oauth.refreshTokenGrant(config, next.refresh_token ?? "", { resource }),
  ).rejects.toThrow();
});
