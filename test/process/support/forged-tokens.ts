import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { OAuth2Server } from "oauth2-mock-server";
import { freePort } from "./service.ts";

type Claims = Record<string, unknown>;
type Issuer = OAuth2Server["issuer"];

/** Makes another ID token from the claims of the proper one. */
type Forge = (claims: Claims, issuer: Issuer) => string;

const CLIENT_SECRET = "the client secret";
const KID = "key-1";
/** The e-mail address in all ID tokens. */
export const FORGED_EMAIL = "forged@example.com";
const seconds = () => Math.floor(Date.now() / 1000);
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const unsigned = (header: object, claims: Claims) => `${encoded(header)}.${encoded(claims)}`;

function signedWith(key: KeyObject, claims: Claims, kid: string): string {
  const text = unsigned({ alg: "RS256", kid }, claims);
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
}

function authenticatedWith(secret: string, claims: Claims): string {
  const text = unsigned({ alg: "HS256", kid: KID }, claims);
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const otherKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Signs changed claims with the key of the provider. A claim that is undefined is left out. */
const changed =
  (change: () => Claims): Forge =>
  (claims) =>
    signedWith(keys.privateKey, { ...claims, ...change() }, KID);

/** A token whose times are off by some seconds, and which is valid for five minutes. */
const clock = (off: number): Forge =>
  changed(() => ({ iat: seconds() + off, nbf: seconds() + off, exp: seconds() + off + 300 }));

/** ID tokens that the service must refuse. */
export const FORGERIES: Readonly<Record<string, Forge>> = {
  iss: changed(() => ({ iss: "https://evil.example.com" })),
  nonce: changed(() => ({ nonce: "another nonce" })),
  "no nonce": changed(() => ({ nonce: undefined })),
  aud: changed(() => ({ aud: "another client" })),
  "aud of two clients": changed(() => ({ aud: ["feature-flags", "another client"] })),
  key: (claims) => signedWith(otherKeys.privateKey, claims, KID),
  none: (claims) => `${unsigned({ alg: "none" }, claims)}.`,
  "HS256 with the public key": (claims) =>
    authenticatedWith(keys.publicKey.export({ type: "spki", format: "pem" }).toString(), claims),
  "HS256 with the public JWK": (claims, issuer) =>
    authenticatedWith(JSON.stringify(issuer.keys.toJSON()[0]), claims),
  "HS256 with the client secret": (claims) => authenticatedWith(CLIENT_SECRET, claims),
  exp: changed(() => ({ exp: seconds() - 60 })),
  "no exp": changed(() => ({ exp: undefined })),
  iat: changed(() => ({ iat: seconds() + 120, exp: seconds() + 600 })),
  "clock 2 min ahead": clock(120),
  // It expired two minutes ago.
  "clock 2 min behind": clock(-420),
};

/** ID tokens that the service must accept: the proper one, and those of a clock that is 20 s off. */
export const PROPER: Readonly<Record<string, Forge>> = {
  "no change": changed(() => ({})),
  "clock 20 s ahead": clock(20),
  // It expired 20 seconds ago.
  "clock 20 s behind": clock(-320),
};

/** An OpenID provider whose ID tokens a test forges. Everybody who comes is signed in. */
export class ForgingProvider {
  readonly #server = new OAuth2Server();
  /** Makes the next ID tokens. */
  forge: Forge = changed(() => ({}));
  readonly client = { clientId: "feature-flags", clientSecret: CLIENT_SECRET };

  get issuer(): string {
    return this.#server.issuer.url ?? "";
  }

  async start(): Promise<this> {
    const { issuer, service } = this.#server;
    const jwk = keys.privateKey.export({ format: "jwk" });
    await issuer.keys.add({ ...jwk, kid: KID, alg: "RS256" });
    service.on("beforeWellKnownOpenIdConfiguration", ({ body }: { body: Claims }) => {
      body["id_token_signing_alg_values_supported"] = ["RS256", "HS256", "none"];
      body["token_endpoint_auth_methods_supported"] = ["client_secret_post"];
    });
    service.on("beforeResponse", ({ body }: { body: Claims }) => {
      const [, payload = ""] = String(body["id_token"]).split(".");
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims;
      const email = { email: FORGED_EMAIL, email_verified: true };
      body["id_token"] = this.forge({ ...claims, ...email }, issuer);
    });
    await this.#server.start(await freePort(), "localhost");
    return this;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}
