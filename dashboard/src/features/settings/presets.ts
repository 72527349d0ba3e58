import type { Schemas } from "../../shared/api/types.ts";

/**
 * What a preset fills in. Parts in braces are examples that administrators replace; the form does
 * not accept them.
 */
type Preset = Pick<Schemas["IdentityProvider"], "type" | "slug" | "name" | "issuer"> & {
  readonly groupClaim: string;
};

const oidc = (slug: string, name: string, issuer: string, groupClaim = ""): Preset => ({
  type: "oidc",
  slug,
  name,
  issuer,
  groupClaim,
});

export const PRESETS = {
  google: oidc("google", "Google", "https://accounts.google.com"),
  entra: oidc(
    "entra",
    "Microsoft Entra ID",
    "https://login.microsoftonline.com/{tenant-id}/v2.0",
    "groups",
  ),
  okta: oidc("okta", "Okta", "https://{organisation}.okta.com", "groups"),
  keycloak: oidc("keycloak", "Keycloak", "https://{host}/realms/{realm}", "realm_access.roles"),
  github: { type: "github", slug: "github", name: "GitHub", issuer: "", groupClaim: "" },
  access: {
    type: "access",
    slug: "access",
    name: "Cloudflare Access",
    issuer: "https://{team}.cloudflareaccess.com",
    groupClaim: "",
  },
  other: oidc("", "", ""),
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof PRESETS;

export const PRESET_NAMES = [
  "google",
  "entra",
  "okta",
  "keycloak",
  "github",
  "access",
  "other",
] as const satisfies readonly PresetName[];

/** Whether a preset's example is still in the text. */
export const hasExample = (text: string): boolean => /[{}]/.test(text);

/** Returns the preset whose hints fit a provider that exists. */
export function presetOf({ type, issuer }: Pick<Preset, "type" | "issuer">): PresetName {
  if (type !== "oidc") return type;
  if (issuer === PRESETS.google.issuer) return "google";
  if (issuer.startsWith("https://login.microsoftonline.com/")) return "entra";
  if (/^https:\/\/[^/]+\.okta(?:preview)?\.com(?:\/|$)/.test(issuer)) return "okta";
  return issuer.includes("/realms/") ? "keycloak" : "other";
}
