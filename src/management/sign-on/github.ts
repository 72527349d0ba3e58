import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  Configuration,
  customFetch,
} from "openid-client";
import { z } from "@hono/zod-openapi";
import type { Account } from "../../core/sign-on/account.ts";
import { normalizeEmail } from "../../core/lib/email.ts";
import { GITHUB_ISSUER } from "../../core/sign-on/issuer.ts";
import { providerFault } from "../../core/errors/sign-on-problem.ts";
import type { Attempt, Client } from "./discovery.ts";
import { asSignOnError, authenticationOf } from "./oidc.ts";
import { jsonFrom, outgoing, type Outgoing } from "./outgoing.ts";

/** GitHub publishes no configuration, because it offers OAuth 2 and no ID token. */
const METADATA = {
  issuer: GITHUB_ISSUER,
  authorization_endpoint: "https://github.com/login/oauth/authorize",
  token_endpoint: "https://github.com/login/oauth/access_token",
};
const API = "https://api.github.com";

/** How many teams a page has. A page of 100 teams can be larger than a response may be. */
const TEAMS_PER_PAGE = 30;
const MAX_TEAM_PAGES = 10;

const userSchema = z.object({ id: z.int(), name: z.string().nullish() });
const emailsSchema = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);
const teamsSchema = z.array(
  z.object({ slug: z.string(), organization: z.object({ login: z.string() }) }),
);

function configure({ provider, secret, allowHttp }: Client) {
  const authentication = authenticationOf(secret, ["client_secret_post"]);
  const config = new Configuration(METADATA, provider.clientId, undefined, authentication);
  config[customFetch] = outgoing(allowHttp);
  return config;
}

/** Returns the URL at GitHub where the person signs in. */
export async function githubUrl(client: Client, attempt: Attempt): Promise<string> {
  return buildAuthorizationUrl(configure(client), {
    scope: "user:email read:org",
    redirect_uri: attempt.redirectUri,
    state: attempt.state,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
  }).href;
}

/**
 * Exchanges the code in a callback for the account, whose subject is the numeric id: a login name can
 * pass to another person. Throws: `SignOnError` if anything about a response is wrong.
 */
export async function githubAccount(
  client: Client,
  attempt: Attempt,
  callback: URL,
): Promise<Account> {
  try {
    const { access_token: token } = await authorizationCodeGrant(configure(client), callback, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
    });
    const read = reader(outgoing(client.allowHttp), token);
    const user = await read("/user", userSchema);
    const emails = await read("/user/emails", emailsSchema);
    const primary = emails.find((one) => one.primary && one.verified);
    return {
      subject: String(user.id),
      email: primary && normalizeEmail(primary.email),
      emailProved: primary !== undefined,
      hostedDomain: undefined,
      name: user.name ?? undefined,
      groups: client.provider.roles.length > 0 ? await teamsOf(read) : [],
      secondFactor: false,
      idpSession: undefined,
      authTime: undefined,
      expiresAt: undefined,
    };
  } catch (error) {
    throw asSignOnError(error);
  }
}

type Read = <T>(path: string, schema: z.ZodType<T>) => Promise<T>;

const reader =
  (send: Outgoing, token: string): Read =>
  async (path, schema) => {
    const found = schema.safeParse(
      await jsonFrom(send, `${API}${path}`, {
        headers: {
          Authorization: `Bearer ${token}`,
          Accept: "application/vnd.github+json",
          // GitHub refuses requests without this header.
          "User-Agent": "feature-flags",
        },
      }),
    );
    if (!found.success) throw providerFault(`GitHub returned an unknown form at ${path}`);
    return found.data;
  };

/** Returns the teams of the person as `org/team`. */
async function teamsOf(read: Read): Promise<readonly string[]> {
  const names: string[] = [];
  for (let page = 1; page <= MAX_TEAM_PAGES; page++) {
    const teams = await read(`/user/teams?per_page=${TEAMS_PER_PAGE}&page=${page}`, teamsSchema);
    names.push(...teams.map(({ slug, organization }) => `${organization.login}/${slug}`));
    if (teams.length < TEAMS_PER_PAGE) break;
  }
  return names;
}
