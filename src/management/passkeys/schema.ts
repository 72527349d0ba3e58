import { z } from "@hono/zod-openapi";
import { id, iso, isoOrNull, name, timestamp } from "../../http/schema.ts";
import { currentPassword, EXAMPLE_PASSWORD } from "../auth/schema.ts";
import { deviceToken, EXAMPLE_SESSION } from "../auth/session-schema.ts";
import type { PasskeyRow } from "../../model/passkeys/queries.ts";

/** How a browser can reach an authenticator. Others, which browsers may add, are not stored. */
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
export type Transport = (typeof TRANSPORTS)[number];

const known: ReadonlySet<string> = new Set(TRANSPORTS);
export const isTransport = (text: string): text is Transport => known.has(text);

/** The schema of bytes as base64url without padding, with the greatest length of the text. */
const bytes = (max: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, "must be base64url")
    .max(max, `must have at most ${max} characters`);

const EXAMPLE_ID = "b25lIGNyZWRlbnRpYWw";
const EXAMPLE_CHALLENGE = "b25lIGNoYWxsZW5nZQ";

/** The fields of a response that both ceremonies have. 1,364 characters are 1,023 bytes. */
const credential = { id: bytes(1364), type: z.literal("public-key") };
const clientDataJSON = bytes(8192);

const addResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    attestationObject: bytes(16_384),
    transports: z
      .array(z.string().max(32))
      .max(20)
      .optional()
      .transform((list = []) => list.filter(isTransport)),
  }),
});
export type AddResponse = z.infer<typeof addResponse>;

const signInResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    authenticatorData: bytes(8192),
    signature: bytes(8192),
    userHandle: bytes(88)
      .nullish()
      .transform((text) => text ?? undefined),
  }),
});
export type SignInResponse = z.infer<typeof signInResponse>;

export const addOptionsRequest = z
  .object({ currentPassword: currentPassword.optional() })
  .openapi("PasskeyConfirmation", { example: { currentPassword: EXAMPLE_PASSWORD } });

export const addPasskeyRequest = z
  .object({
    name: name.openapi({ description: "How the user recognises the passkey, such as the device" }),
    response: addResponse.openapi({
      description: "The passkey, as `toJSON()` of the browser's `PublicKeyCredential` returns it",
    }),
  })
  .openapi("AddPasskey", {
    example: {
      name: "Laptop",
      response: {
        id: EXAMPLE_ID,
        type: "public-key",
        response: {
          clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
          attestationObject: "o2NmbXRkbm9uZQ",
          transports: ["internal"],
        },
      },
    },
  });

export const renamePasskeyRequest = z
  .object({ name })
  .openapi("RenamePasskey", { example: { name: "Laptop" } });

export const signInOptionsRequest = z
  .object({
    mfaToken: z.string().min(1).max(2048).optional().openapi({
      description: "The `mfaToken` of a sign-in that needs a second factor",
    }),
  })
  .openapi("PasskeySignInStart", { example: {} });

export const signInRequest = z
  .object({
    mfaToken: signInOptionsRequest.shape.mfaToken,
    deviceToken,
    response: signInResponse.openapi({
      description: "The response, as `toJSON()` of the browser's `PublicKeyCredential` returns it",
    }),
  })
  .openapi("PasskeySignIn", {
    example: {
      response: {
        id: EXAMPLE_ID,
        type: "public-key",
        response: {
          clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0",
          authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4",
          signature: "MEUCIQDs",
          userHandle: "Mg",
        },
      },
    },
  });

const descriptor = z.object({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.enum(TRANSPORTS)),
});

export const addOptionsResponse = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
    timeout: z.int(),
    attestation: z.literal("none"),
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal("required"),
      requireResidentKey: z.boolean(),
      userVerification: z.literal("required"),
    }),
  })
  .openapi("PasskeyCreationOptions", {
    example: {
      challenge: EXAMPLE_CHALLENGE,
      rp: { id: "flags.example.com", name: "Feature Flags" },
      user: { id: "Mg", name: EXAMPLE_SESSION.user.email, displayName: EXAMPLE_SESSION.user.name },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      timeout: 300_000,
      attestation: "none",
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
    },
  });

export const signInOptionsResponse = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal("required"),
    allowCredentials: z.array(descriptor),
  })
  .openapi("PasskeyRequestOptions", {
    example: {
      challenge: EXAMPLE_CHALLENGE,
      rpId: "flags.example.com",
      timeout: 300_000,
      userVerification: "required",
      allowCredentials: [],
    },
  });

export const passkeyResponse = z
  .object({
    id,
    name: z.string(),
    transports: z.array(z.string()),
    backedUp: z.boolean().openapi({
      description: "Whether the passkey is also on other devices of the user, or in a backup",
    }),
    aaguid: z.string().openapi({
      description: "The model of the authenticator; zeros if the browser does not tell",
    }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .openapi("Passkey", {
    example: {
      id: 1,
      name: "Laptop",
      transports: ["internal"],
      backedUp: true,
      aaguid: "fbfc3007-154e-4ecc-8c0b-6e020557d7bd",
      createdAt: "2026-01-02T03:04:05.678Z",
      lastUsedAt: null,
    },
  });

export const toPasskey = (row: PasskeyRow): z.infer<typeof passkeyResponse> => ({
  id: row.id,
  name: row.name,
  transports: [...row.transports],
  backedUp: row.backedUp,
  aaguid: row.aaguid,
  createdAt: iso(row.createdAt),
  lastUsedAt: isoOrNull(row.lastUsedAt),
});
