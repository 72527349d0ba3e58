import { invalid } from "../../core/errors/api-error.ts";
import {
  type AuthorizationRequest,
  authorizationRequest,
} from "../../core/oauth/authorization-request.ts";
import { issuerOf, resourceOf } from "../../core/oauth/endpoints.ts";
import { OAuthError } from "../../core/oauth/oauth-error.ts";
import { parametersOf } from "../../core/oauth/parameters.ts";
import { withResponse } from "../../core/oauth/redirect-uri.ts";
import type { Deps } from "../../access/deps.ts";
import { assertPublicUrl } from "../../mail/mails.ts";
import { assertRedirectUri, clientOf, type OAuthClient } from "./client.ts";

/** An authorisation request of a known client with one of its redirect URIs. */
export interface Asked {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  /** What the client asks for, or what is wrong with the rest of the request. */
  readonly request: AuthorizationRequest | OAuthError;
  /** Returns the URL that tells the client the answer. */
  readonly answerAt: (answer: { readonly code: string } | OAuthError) => string;
}

/**
 * Reads an authorisation request. `query` is the query as the client has sent it, without the question
 * mark. Throws: 400 for a parameter that occurs twice; 400 with the field `client_id` or `redirect_uri`
 * if the service does not know who asks; 429 as in `clientOf`; 503 if `PUBLIC_URL` is missing.
 */
export async function askedIn(
  ctx: Pick<Deps, "db" | "now" | "signOn" | "publicUrl" | "limits">,
  query: string,
): Promise<Asked> {
  const publicUrl = assertPublicUrl(ctx);
  const parameters = parametersOf(query);
  const named = (field: string): string => {
    const value = parameters.get(field);
    if (value === undefined) throw invalid([{ field, message: "must not be missing" }]);
    return value;
  };
  const client = await clientOf(ctx, named("client_id"));
  const redirectUri = named("redirect_uri");
  assertRedirectUri(client, redirectUri);
  const always = { state: parameters.get("state"), iss: issuerOf(publicUrl) };
  return {
    client,
    redirectUri,
    request: orOAuthError(() => authorizationRequest(parameters, resourceOf(publicUrl))),
    answerAt: (answer) =>
      withResponse(redirectUri, {
        ...(answer instanceof OAuthError
          ? { error: answer.oauthCode, error_description: answer.message }
          : answer),
        ...always,
      }),
  };
}

function orOAuthError<T>(read: () => T): T | OAuthError {
  try {
    return read();
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}
