import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { vi } from "vitest";

type Responder = (url: URL, request: Request) => Response | Promise<Response>;

/** Replaces `fetch`: requests go to the responder of their origin, and fail at any other. */
export function network(...hosts: readonly (readonly [origin: string, respond: Responder])[]) {
  const sent: string[] = [];
  const known = new Map(hosts);
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const at = new URL(url);
    sent.push(`${init.method ?? "GET"} ${at.pathname}`);
    const respond = known.get(at.origin);
    if (!respond) throw new TypeError("Network connection lost");
    return respond(at, new Request(url, init));
  });
  return sent;
}

const rsa = generateKeyPair("RS256", { extractable: true });
const otherRsa = generateKeyPair("RS256", { extractable: true });
export const RSA_KEYS = { right: rsa, wrong: otherRsa };

/** The public keys of `RSA_KEYS.right`, as a provider publishes them. */
export async function publicKeys(kid = "key-1") {
  const { publicKey } = await rsa;
  return { keys: [{ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" }] };
}

/** Signs claims as the provider does. */
export async function signed(claims: JWTPayload, kid = "key-1", key = rsa): Promise<string> {
  const { privateKey } = await key;
  return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey);
}

/** Returns the form of a request. The runtime warns about `text()` of a form. */
const formOf = async (request: Request): Promise<URLSearchParams> =>
  new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()));

/** Makes the ID token of a sign-in from the proper claims. */
type MakeToken = (claims: JWTPayload) => string | Promise<string>;

const seconds = () => Math.floor(Date.now() / 1000);

/** An OpenID provider, as far as the service calls it. */
export class FakeIdp {
  readonly issuer = `https://idp-${crypto.randomUUID()}.example.com`;
  /** The claims of the person who signs in, besides those that every ID token has. */
  person: JWTPayload = {};
  userInfo: JWTPayload | undefined;
  makeToken: MakeToken = signed;
  isDown = false;
  readonly #codes = new Map<string, { readonly nonce: string; readonly challenge: string }>();

  readonly host = [
    this.issuer,
    (url: URL, request: Request) => this.#respond(url, request),
  ] as const;

  /** Lets the person sign in at the URL of an authorization request. Returns the callback's query. */
  authorize(authorizationUrl: string): string {
    const asked = new URL(authorizationUrl).searchParams;
    const code = crypto.randomUUID();
    this.#codes.set(code, {
      nonce: asked.get("nonce") ?? "",
      challenge: asked.get("code_challenge") ?? "",
    });
    return `?code=${code}&state=${asked.get("state")}`;
  }

  async #respond({ pathname }: URL, request: Request): Promise<Response> {
    if (this.isDown) throw new TypeError("Network connection lost");
    if (pathname === "/.well-known/openid-configuration") return Response.json(this.#metadata());
    if (pathname === "/keys") return Response.json(await publicKeys());
    if (pathname === "/userinfo") return Response.json(this.userInfo);
    if (pathname === "/token") return this.#token(await formOf(request));
    return new Response("not found", { status: 404 });
  }

  #metadata() {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
    };
  }

  async #token(body: URLSearchParams): Promise<Response> {
    const code = body.get("code") ?? "";
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    const verifier = new TextEncoder().encode(body.get("code_verifier") ?? "");
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", verifier));
    const challenge = btoa(String.fromCodePoint(...digest))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");
    if (grant?.challenge !== challenge || body.get("client_secret") !== "the secret")
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    const claims = {
      iss: this.issuer,
      aud: "client",
      sub: "subject-1",
      nonce: grant.nonce,
      iat: seconds(),
      exp: seconds() + 300,
      ...this.person,
    };
    return Response.json({
      access_token: "an access token of the provider",
      token_type: "Bearer",
      id_token: await this.makeToken(claims),
    });
  }
}

/** GitHub, as far as the service calls it. */
export function fakeGitHub(person: {
  readonly id: number;
  readonly emails: readonly object[];
  readonly teams?: readonly object[];
}) {
  const respond: Responder = async ({ pathname }, request) => {
    if (pathname === "/login/oauth/access_token") {
      const body = await formOf(request);
      if (!body.get("code_verifier")) return Response.json({ error: "bad_verification_code" });
      return Response.json({ access_token: "gho", token_type: "bearer", scope: "user:email" });
    }
    if (request.headers.get("Authorization") !== "Bearer gho")
      return new Response("", { status: 401 });
    if (pathname === "/user") return Response.json({ id: person.id, login: "ann", name: "Ann" });
    if (pathname === "/user/emails") return Response.json(person.emails);
    return Response.json(person.teams ?? []);
  };
  return [["https://github.com", respond] as const, ["https://api.github.com", respond] as const];
}
