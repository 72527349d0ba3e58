import { z } from "@hono/zod-openapi";
import {
  type Provider,
  PROVIDER_TYPES,
  PROVISIONING,
  SECOND_FACTORS,
} from "../../core/sign-on/provider.ts";
import { id, isoOrNull, name, timestamp, version } from "../../http/schema.ts";
import { role } from "../shared/role.ts";
import type { ShownProvider } from "./providers.ts";

/** `complete` is a path beside those of the providers. */
const RESERVED = new Set(["complete"]);

const slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must have 1 to 64 lower-case letters, digits and dashes")
  .refine((text) => !RESERVED.has(text), "is reserved")
  .openapi({ description: "Names the provider in URLs, such as `okta`. It cannot change." });

const type = z.enum(PROVIDER_TYPES).openapi({
  description:
    "`oidc`: OpenID Connect (Google, Entra ID, Okta, Keycloak, Auth0); `github`; `access`: " +
    "Cloudflare Access",
});

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/, "must be a domain such as example.com");

const groupRole = z.object({ group: z.string().min(1).max(200), role });

/** The fields of a provider that administrators choose, except the secret. */
const fields = {
  name,
  enabled: z.boolean(),
  issuer: z.string().min(1).max(500).openapi({
    description: "For `access`, the team domain, such as `https://team.cloudflareaccess.com`",
  }),
  clientId: z.string().trim().min(1).max(500).openapi({
    description: "For `access`, the AUD tag of the application",
  }),
  domains: z
    .array(domain)
    .max(50)
    .openapi({
      description:
        "The domains of the e-mail addresses by which an invited or existing user is recognised, or a " +
        "user is created. Without one, users can only link the provider from their profile.",
    }),
  provisioning: z.enum(PROVISIONING).openapi({
    description: "Whether only invited users get in, or a sign-in creates the user",
  }),
  secondFactor: z.enum(SECOND_FACTORS).openapi({
    description:
      "`local`: the second factor of this service counts; `amr`: also one that the provider names " +
      "in the claim `amr`; `provider`: every sign-in at the provider counts as two factors",
  }),
  defaultRole: z.enum(["VIEWER", "DEVELOPER"]).nullable().openapi({
    description: "The role of users who are in no group of `roles`; null refuses them",
  }),
  groupClaim: z.string().trim().min(1).max(200).nullable().openapi({
    description: "The claim with the groups of the user. For `github`, the groups are `org/team`.",
  }),
  roles: z.array(groupRole).max(100).openapi({
    description: "If not empty, each sign-in gives the user the highest role of the groups",
  }),
  linkByEmail: z.boolean().openapi({
    description: "Whether an active user is recognised by the e-mail address at the first sign-in",
  }),
  sessionHours: z
    .int()
    .min(1)
    .max(720)
    .openapi({ description: "How long a session lasts at most" }),
};

const clientSecret = z
  .string()
  .min(1)
  .max(2000)
  .nullable()
  .openapi({ description: "Never returned. Null removes it." });

const check = z
  .boolean()
  .optional()
  .openapi({
    description:
      "Whether to ask the provider for its configuration before it is saved. If it does not respond, or " +
      "the configuration is not valid, the response is 400 with the cause and the problem `provider`.",
  });

const DEFAULTS = {
  enabled: true,
  domains: [],
  provisioning: "invited",
  secondFactor: "local",
  defaultRole: "VIEWER",
  groupClaim: null,
  roles: [],
  linkByEmail: true,
  sessionHours: 24,
} as const satisfies Partial<Provider>;

/** The fields of a new provider. All but those that identify it have a default. */
const created = {
  slug,
  type,
  name,
  clientId: fields.clientId,
  issuer: fields.issuer.optional().openapi({ description: "Not needed for `github`" }),
  enabled: fields.enabled.default(DEFAULTS.enabled),
  domains: fields.domains.default([...DEFAULTS.domains]),
  provisioning: fields.provisioning.default(DEFAULTS.provisioning),
  secondFactor: fields.secondFactor.default(DEFAULTS.secondFactor),
  defaultRole: fields.defaultRole.default(DEFAULTS.defaultRole),
  groupClaim: fields.groupClaim.default(DEFAULTS.groupClaim),
  roles: fields.roles.default([...DEFAULTS.roles]),
  linkByEmail: fields.linkByEmail.default(DEFAULTS.linkByEmail),
  sessionHours: fields.sessionHours.default(DEFAULTS.sessionHours),
};

const EXAMPLE = {
  slug: "okta",
  name: "Okta",
  type: "oidc",
  enabled: true,
  issuer: "https://example.okta.com",
  clientId: "0oa1b2c3d4",
  domains: ["example.com"],
  provisioning: "invited",
  secondFactor: "amr",
  defaultRole: "VIEWER",
  groupClaim: "groups",
  roles: [{ group: "flags-admins", role: "ADMIN" }],
  linkByEmail: true,
  sessionHours: 24,
};

export const createProviderRequest = z
  .object({ ...created, clientSecret: clientSecret.optional(), check })
  .openapi("CreateIdentityProvider", { example: { ...EXAMPLE, clientSecret: "a secret" } });

/** The request body of an update of a provider. An omitted field keeps its value. */
export const updateProviderRequest = z
  .object({ ...z.object(fields).partial().shape, clientSecret: clientSecret.optional(), check })
  .openapi("UpdateIdentityProvider", { example: { domains: ["example.com", "example.org"] } });

export const providerResponse = z
  .object({
    id: id.nullable().openapi({
      description: "Null for a provider of the variable `SIGN_ON_PROVIDERS`, which is read-only",
    }),
    slug: z.string(),
    type,
    ...fields,
    hasSecret: z.boolean(),
    callbackUrl: z.string().nullable().openapi({
      description:
        "The redirect URI that the provider must know; null for `access`, and if `PUBLIC_URL` is not set",
    }),
    version,
    createdAt: timestamp.nullable(),
    updatedAt: timestamp.nullable(),
  })
  .openapi("IdentityProvider", {
    example: {
      id: 1,
      ...EXAMPLE,
      hasSecret: true,
      callbackUrl: "https://flags.example.com/api/v1/auth/sign-on/okta/callback",
      version: 1,
      createdAt: "2026-01-02T03:04:05.678Z",
      updatedAt: "2026-01-02T03:04:05.678Z",
    },
  });

export const toProvider = ({
  provider,
  row,
  hasSecret,
  callbackUrl,
}: ShownProvider): z.infer<typeof providerResponse> => ({
  id: row?.id ?? null,
  slug: provider.slug,
  type: provider.type,
  name: provider.name,
  enabled: provider.enabled,
  issuer: provider.issuer,
  clientId: provider.clientId,
  domains: [...provider.domains],
  provisioning: provider.provisioning,
  secondFactor: provider.secondFactor,
  defaultRole: provider.defaultRole,
  groupClaim: provider.groupClaim,
  roles: [...provider.roles],
  linkByEmail: provider.linkByEmail,
  sessionHours: provider.sessionHours,
  hasSecret,
  callbackUrl: callbackUrl ?? null,
  version: row?.version ?? 0,
  createdAt: isoOrNull(row?.createdAt ?? null),
  updatedAt: isoOrNull(row?.updatedAt ?? null),
});

/** The schema of the variable `SIGN_ON_PROVIDERS`. */
export const configuredProviders = z.array(z.object(created)).max(50);

export const signOnOptionResponse = z
  .object({ slug: z.string(), name: z.string(), type })
  .openapi("SignOnOption", { example: { slug: "okta", name: "Okta", type: "oidc" } });
