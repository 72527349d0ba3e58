import { compareVersions, parseVersionText } from "@feature-flags/evaluation/version";
import type { SeenInstance } from "../../core/usage/presence.ts";
import { VARIANT_SEED } from "../../core/usage/unleash-features.ts";

/**
 * The first versions of Unleash SDKs, by language, that hash variants with a seed of their own, as this service does
 * (client specification 5.0.0, October 2023). The versions before choose other variants of a split.
 */
const FIRST_VERSIONS = new Map([
  ["node", "5.0.0"],
  ["java", "9.0.0"],
  ["python", "5.9.2"],
  ["go", "4.0.0"],
  ["ruby", "5.0.0"],
  ["php", "2.0.0"],
  ["dotnet", "4.0.0"],
  ["rust", "0.10.0"],
]);

/** The name and version of an SDK, such as `unleash-client-node:5.0.0` or `unleash-node-sdk:6.0.0`. */
const SDK_VERSION = /^unleash-(?:client-)?([a-z]+)(?:-sdk)?:v?(.+)$/;

/**
 * Whether an instance of an Unleash SDK may choose other variants of a split than this service. The
 * version decides if the SDK is known, because some SDKs name an older specification than they
 * implement. Otherwise the specification decides that the SDK names when it fetches rules.
 */
export function mayChooseOtherVariants({ sdkVersion, sdkFeatures }: SeenInstance): boolean {
  const [, language = "", text = ""] = SDK_VERSION.exec(sdkVersion ?? "") ?? [];
  const first = parseVersionText(FIRST_VERSIONS.get(language) ?? "");
  const version = parseVersionText(text);
  if (first && version) return compareVersions(version, first) < 0;
  return sdkFeatures?.includes(VARIANT_SEED) !== true;
}
