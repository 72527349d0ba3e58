import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";

const REDIRECT = "http://127.0.0.1:3000/callback";

/** Where the test publishes the metadata document of the client. */
const DOCUMENT_URL = "https://agent.example.com/client.json";

/** The metadata of the client, which are also those of its document. */
const METADATA = {
  client_name: "Example agent",
  redirect_uris: [REDIRECT],
  grant_types: ["authorization_code", "refresh_token"],
  token_endpoint_auth_method: "none",
};

/** Answers the requests of the service to other hosts: only the metadata document exists. */
export const otherHosts = ({ url }: { readonly url: string }): Response =>
  url === DOCUMENT_URL
    ? Response.json({ client_id: DOCUMENT_URL, ...METADATA })
    : new Response("", { status: 404 });

/**
 * What a program remembers of its OAuth flow. Without a `clientId`, the program is known by its metadata
 * document.
 */
export class RememberedLogin implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadataUrl = DOCUMENT_URL;
  readonly clientMetadata = METADATA;
  /** The page that the program has opened in the browser. */
  opened: URL | undefined;
  #information: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = "";
  #discovered: OAuthDiscoveryState | undefined;

  constructor(issuer: string, clientId?: string) {
    this.#information = clientId === undefined ? undefined : { client_id: clientId, issuer };
  }

  state(): string {
    return "a state";
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#information;
  }

  saveClientInformation(information: StoredOAuthClientInformation): void {
    this.#information = information;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.opened = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  invalidateCredentials(which: string): void {
    if (which === "tokens") this.#tokens = undefined;
  }
}
