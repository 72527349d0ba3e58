import { compareVersions, parseVersionText } from "@feature-flags/evaluation/version";
import type { SeenInstance } from "../../core/usage/presence.ts";
import { VARIANT_SEED } from "../../core/usage/unleash-features.ts";

/**
 * The first versions of Unleash SDKs that hash variants with a seed of their own, as this service does
 * (client specification 5.0.0, October 2023). The versions before choose other variants of a split.
 */
const FIRST_VERSIONS = new Map([
  ["unleash-client-node", "5.0.0"],
  ["unleash-node-sdk", "5.0.0"],
  ["unleash-client-java", "9.0.0"],
  ["unleash-java-sdk", "9.0.0"],
  ["unleash-client-python", "5.9.2"],
  ["unleash-python-sdk", "5.9.2"],
  ["unleash-client-rust", "0.10.0"],
  ["unleash-rust-sdk", "0.10.0"],
]);

/**
 * Whether an instance of an Unleash SDK may choose other variants of a split than this service. The
 * version decides if the SDK is known, because some SDKs name an older specification than they
 * implement. Otherwise the specification decides that the SDK names when it fetches rules.
 */
export function mayChooseOtherVariants({ sdkVersion, sdkFeatures }: SeenInstance): boolean {
  const [, name = "", text = ""] = /^([a-z-]+):v?(.+)$/.exec(sdkVersion ?? "") ?? [];
  const first = parseVersionText(FIRST_VERSIONS.get(name) ?? "");
  const version = parseVersionText(text);
  if (first && version) return compareVersions(version, first) < 0;
  return sdkFeatures?.includes(VARIANT_SEED) !== true;
}
