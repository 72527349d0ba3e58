import { Buffer } from "node:buffer";
import { base64url } from "../../../src/core/lib/digest.ts";
import type { Json } from "./client.ts";

/** What a CBOR encoder must write for Web Authentication (RFC 8949). */
type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

const concat = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(parts));

function head(major: number, n: number): Uint8Array {
  const first = major << 5;
  if (n < 24) return Uint8Array.of(first | n);
  if (n < 256) return Uint8Array.of(first | 24, n);
  return Uint8Array.of(first | 25, n >> 8, n & 255);
}

function cbor(value: Cbor): Uint8Array {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    const bytes = utf8(value);
    return concat(head(3, bytes.length), bytes);
  }
  if (value instanceof Uint8Array) return concat(head(2, value.length), value);
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
    return concat(head(5, value.size), ...entries);
  }
  const items = value as readonly Cbor[];
  return concat(head(4, items.length), ...items.map((item) => cbor(item)));
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => concat(new TextEncoder().encode(text));
const hashOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** Turns the signature of Web Crypto into the DER form that authenticators send. */
function der(raw: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array) => {
    const significant = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
    const positive =
      (significant[0] ?? 0) > 127 ? concat(Uint8Array.of(0), significant) : significant;
    return concat(Uint8Array.of(2, positive.length), positive);
  };
  const body = concat(integer(raw.subarray(0, 32)), integer(raw.subarray(32)));
  return concat(Uint8Array.of(0x30, body.length), body);
}

/** What a test changes in a response of the authenticator, to see that the service refuses it. */
export interface Tricks {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  readonly userVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly credentialId?: Uint8Array;
  /** The format and the statement of an attestation, instead of `none`. */
  readonly attestation?: (signed: Uint8Array<ArrayBuffer>) => Promise<[string, Cbor]>;
}

/** An authenticator with one passkey, together with the browser that it is used in. */
export class Authenticator {
  readonly credentialId: Uint8Array;
  readonly #keys: CryptoKeyPair;
  /** The id of the user, base64url. Each response with the passkey has it. */
  #userHandle = "MQ";

  private constructor(keys: CryptoKeyPair) {
    this.#keys = keys;
    this.credentialId = crypto.getRandomValues(new Uint8Array(16));
  }

  static async make(): Promise<Authenticator> {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    return new Authenticator(keys as CryptoKeyPair);
  }

  /** Signs with the private key of the passkey. */
  async sign(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    return der(new Uint8Array(await crypto.subtle.sign(algorithm, this.#keys.privateKey, data)));
  }

  #clientData(type: string, challenge: string, tricks: Tricks): Uint8Array<ArrayBuffer> {
    const { origin = "https://flags.test", crossOrigin = false } = tricks;
    const data = { type: tricks.type ?? type, challenge: tricks.challenge ?? challenge, origin };
    return utf8(JSON.stringify({ ...data, crossOrigin }));
  }

  async #authenticatorData(rpId: string, added: Uint8Array | undefined, tricks: Tricks) {
    const { userVerified = true, counter = 0 } = tricks;
    const flags = 1 | (userVerified ? 4 : 0) | (added ? 64 : 0);
    const count = new Uint8Array(4);
    new DataView(count.buffer).setUint32(0, counter);
    const hash = await hashOf(utf8(tricks.rpId ?? rpId));
    return concat(hash, Uint8Array.of(flags), count, added ?? new Uint8Array());
  }

  async #publicKey(): Promise<Uint8Array> {
    const jwk = (await crypto.subtle.exportKey("jwk", this.#keys.publicKey)) as JsonWebKey;
    const point = (text = "") => new Uint8Array(Buffer.from(text, "base64url"));
    return cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point(jwk.x)],
        [-3, point(jwk.y)],
      ]),
    );
  }

  /** Makes the passkey, as `navigator.credentials.create` does with these options. */
  async create(options: Json, tricks: Tricks = {}): Promise<Json> {
    this.#userHandle = options.user.id;
    const clientData = this.#clientData("webauthn.create", options.challenge, tricks);
    const id = tricks.credentialId ?? this.credentialId;
    const length = Uint8Array.of(id.length >> 8, id.length & 255);
    const added = concat(new Uint8Array(16), length, id, await this.#publicKey());
    const authData = await this.#authenticatorData(options.rp.id, added, tricks);
    const signed = concat(authData, await hashOf(clientData));
    const [fmt, attStmt] = (await tricks.attestation?.(signed)) ?? ["none", new Map()];
    const attestation = new Map<string, Cbor>([
      ["fmt", fmt],
      ["attStmt", attStmt],
      ["authData", authData],
    ]);
    return {
      id: base64url(id),
      rawId: base64url(id),
      type: "public-key",
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(cbor(attestation)),
        transports: ["internal", "a-new-one"],
      },
    };
  }

  /** Uses the passkey, as `navigator.credentials.get` does with these options. */
  async get(options: Json, tricks: Tricks = {}): Promise<Json> {
    const clientData = this.#clientData("webauthn.get", options.challenge, tricks);
    const authData = await this.#authenticatorData(options.rpId, undefined, tricks);
    const id = base64url(tricks.credentialId ?? this.credentialId);
    return {
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authData),
        signature: base64url(await this.sign(concat(authData, await hashOf(clientData)))),
        userHandle: tricks.userHandle ?? this.#userHandle,
      },
    };
  }
}
