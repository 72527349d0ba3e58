import type { Server } from "node:http";
import { Provider } from "oidc-provider";
import { freePort } from "./service.ts";

/** The fields of an identity provider of the service that are those of `openProvider`. */
export interface OpenProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly server: Server;
}

/**
 * Opens an OpenID provider that shares no code with the service. Everybody signs in there with an e-mail
 * address and any password. `callback` is the redirect URI.
 */
export async function openProvider(callback: string): Promise<OpenProvider> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const client = { clientId: "feature-flags", clientSecret: "the client secret" };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [callback],
      },
    ],
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true, name: "Ann" }),
    }),
  });
  return { issuer, ...client, server: provider.listen(port) };
}
