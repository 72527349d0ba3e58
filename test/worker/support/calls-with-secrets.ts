import type { CallOptions } from "./client.ts";
import { newLink } from "./links.ts";
import type { Call } from "./secrecy.ts";
import type { Secrets } from "./secrets.ts";
import { member, signedIn } from "./sessions.ts";
import { newProject, unique } from "./world.ts";

/**
 * Requests with secrets in the fields where the API expects them. Each request also has a secret in
 * two headers where the API expects none.
 */
export async function callsWithSecrets(secrets: Secrets): Promise<readonly Call[]> {
  const { password, currentPassword, totpCode, recoveryCode, mfaToken } = secrets;
  const { inviteToken, resetToken, refreshToken } = secrets;
  const { token } = await signedIn("ADMIN");
  const { email } = await member("VIEWER", currentPassword);
  const calls: readonly Call[] = [
    ["POST", "/api/v1/auth/login", { body: { email, password: currentPassword } }],
    ["POST", "/api/v1/auth/login", { body: { email, password } }],
    ["POST", "/api/v1/auth/refresh", { body: { refreshToken } }],
    ["POST", "/api/v1/auth/invitation", { body: { token: inviteToken } }],
    ["POST", "/api/v1/auth/accept-invite", { body: { token: inviteToken, password } }],
    ["POST", "/api/v1/auth/reset-password", { body: { token: resetToken, password } }],
    ["POST", "/api/v1/auth/mfa/verify", { body: { mfaToken, code: totpCode } }],
    ["POST", "/api/v1/auth/mfa/verify", { body: { mfaToken, code: recoveryCode } }],
    ["POST", "/api/v1/auth/mfa/enroll", { token, body: { currentPassword } }],
    ["POST", "/api/v1/auth/mfa/activate", { token, body: { code: totpCode } }],
    ["POST", "/api/v1/auth/mfa/disable", { token, body: { currentPassword, code: recoveryCode } }],
    ["PUT", "/api/v1/auth/me", { token, body: { password, currentPassword } }],
    ["POST", "/api/v1/auth/logout", { token: secrets.accessToken }],
    ["POST", "/api/v1/users/invite", { token, body: invitation() }],
    ["POST", "/api/v1/integrations", { token, body: await integration(secrets) }],
    ["GET", `/api/v1/audit?action=${encodeURIComponent(password)}`, { token }],
    ["GET", "/api/client/features", { token: secrets.apiKey }],
    ["GET", "/actuator/health", { token: secrets.actuatorToken }],
    ["GET", "/actuator/metrics", { token: `${secrets.actuatorToken}?` }],
  ];
  return calls.map(([method, path, options], n) => {
    // Users may paste a secret into these headers by mistake.
    const pasted = n % 2 === 0 ? password : secrets.headerValue;
    const headers = { "X-Change-Reason": pasted, "User-Agent": `curl ${pasted}` };
    const withHeaders: CallOptions = Object.assign({}, options, { headers });
    return [method, path, withHeaders];
  });
}

const invitation = () => ({ email: `${unique("a")}@example.com`, role: "VIEWER" });

async function integration({ webhookSecret: secret, headerValue }: Secrets) {
  const { id: projectId } = await newProject();
  const url = "https://receiver.example.com/hook";
  return {
    name: unique("integration"),
    enabled: true,
    type: "custom_webhook",
    configJson: JSON.stringify({ url, secret, headers: { "X-Team": headerValue } }),
    eventSubscriptionsJson: '["flag.created"]',
    projectId,
  };
}

/** Returns the secrets with new, valid tokens for an invitation and a password reset. */
export async function withLinks(secrets: Secrets): Promise<Secrets> {
  const invite = await newLink("INVITE");
  const reset = await newLink("RESET");
  return { ...secrets, inviteToken: invite.token, resetToken: reset.token };
}
