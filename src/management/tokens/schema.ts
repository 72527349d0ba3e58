import { z } from "@hono/zod-openapi";
import { SCOPES } from "@feature-flags/permissions/permissions";
import { id, idText, iso, isoOrNull, name, timestamp } from "../../http/schema.ts";
import { currentPassword, EXAMPLE_PASSWORD } from "../auth/schema.ts";
import type { TokenRow } from "../../model/tokens/queries.ts";

const EXAMPLE = {
  id: 4,
  name: "ci",
  scopes: ["read" as const, "write" as const],
  projectIds: [1],
  environmentIds: null,
  serviceAccountId: null,
  preview: "Xq4Z",
  createdAt: "2026-01-02T03:04:05.678Z",
  expiresAt: "2026-04-02T03:04:05.678Z",
  lastUsedAt: null,
};

const scopes = z.array(z.enum(SCOPES)).openapi({
  description:
    "What the token may do of what its owner may do. `write` and `admin` include `read`; no other " +
    "scope includes another. `approve` only reviews change requests",
});
const projectIds = z
  .array(id)
  .nullable()
  .openapi({ description: "The only projects that the token sees. Null: all of its owner" });
const environmentIds = z
  .array(id)
  .nullable()
  .openapi({
    description:
      "The only environments in which the token writes strategies. Of everything else, such a token " +
      "only creates flags. It reads all environments. Null: no such limit",
  });

export const tokenResponse = z
  .object({
    id,
    name: z.string(),
    scopes,
    projectIds,
    environmentIds,
    serviceAccountId: id
      .nullable()
      .openapi({ description: "Null for the token of a user, which is a personal token" }),
    preview: z.string().openapi({ description: "The last four characters of the token" }),
    createdAt: timestamp,
    expiresAt: timestamp,
    lastUsedAt: timestamp
      .nullable()
      .openapi({ description: "The time of the last use, to ten minutes" }),
  })
  .openapi("Token", { example: EXAMPLE });

export const tokensResponse = z.array(tokenResponse).openapi({ example: [EXAMPLE] });

const owner = z.object({
  kind: z.enum(["user", "service-account"]),
  id,
  name: z.string().openapi({ description: "The e-mail address of a user" }),
});

export const currentTokenResponse = z
  .object({ ...tokenResponse.shape, owner })
  .openapi("CurrentToken", {
    example: { ...EXAMPLE, owner: { kind: "user", id: 2, name: "ann@example.com" } },
  });

/** The response to the creation of a token. No other response contains the token itself. */
export const createdTokenResponse = z
  .object({ ...tokenResponse.shape, token: z.string().length(48) })
  .openapi("CreatedToken", {
    example: { ...EXAMPLE, token: `ffpat_${"x".repeat(36)}000000` },
  });

export const toToken = (row: TokenRow): z.infer<typeof tokenResponse> => ({
  id: row.id,
  name: row.name,
  scopes: [...row.scopes],
  projectIds: row.projectIds && [...row.projectIds],
  environmentIds: row.environmentIds && [...row.environmentIds],
  serviceAccountId: row.serviceAccountId,
  preview: row.preview,
  createdAt: iso(row.createdAt),
  expiresAt: iso(row.expiresAt),
  lastUsedAt: isoOrNull(row.lastUsedAt),
});

/** How many projects or environments a token can list. */
const MAX_LISTED = 200;
const MAX_DAYS = 365;
const DEFAULT_DAYS = 90;

const distinct = <T extends z.ZodArray>(list: T) =>
  list
    .min(1, "must not be empty")
    .refine((items) => new Set(items).size === items.length, "must not have an item twice");

const listed = (description: string) =>
  distinct(z.array(id).max(MAX_LISTED)).nullable().optional().openapi({ description });

/** The fields of a request that say what a token may do. */
export const tokenRights = {
  scopes: distinct(z.array(z.enum(SCOPES))),
  projectIds: listed("If absent or null: all projects of the owner"),
  environmentIds: listed("If absent or null: no such limit"),
};

export const createTokenRequest = z
  .object({
    name,
    ...tokenRights,
    expiresInDays: z
      .int()
      .min(1, "must be between 1 and 365")
      .max(MAX_DAYS, "must be between 1 and 365")
      .default(DEFAULT_DAYS),
    currentPassword: currentPassword
      .optional()
      .openapi({ description: "The password of the signed-in user, who creates the token" }),
    serviceAccountId: id
      .optional()
      .openapi({ description: "The owner of the token. If absent: the signed-in user" }),
  })
  .openapi("CreateToken", {
    example: {
      name: "ci",
      scopes: ["write"],
      projectIds: [1],
      expiresInDays: 90,
      currentPassword: EXAMPLE_PASSWORD,
    },
  });

/** The parameter of a list with which administrators see what another user has given to programs. */
export const ofUser = idText.optional().openapi({
  description: "The user. If absent: the signed-in user. Other users: only for administrators",
});

export const tokensQuery = z.object({
  serviceAccountId: idText
    .optional()
    .openapi({ description: "The owner of the tokens. If absent: a user" }),
  userId: ofUser,
});
