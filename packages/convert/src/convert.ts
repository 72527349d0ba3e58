import { convertFlagd, type FlagdSource } from "./flagd/convert.ts";
import type { Conversion } from "./flags.ts";
import { convertLaunchDarkly, type LaunchDarklySource } from "./launchdarkly/convert.ts";
import { convertUnleash, type UnleashSource } from "./unleash/convert.ts";

export type { Conversion } from "./flags.ts";

/** The flags of another service. */
export type Source = UnleashSource | LaunchDarklySource | FlagdSource;

/**
 * Turns the flags of another service into the file with the flags of a project. Throws: TypeError for a
 * source that is not of this service.
 */
export function convert(source: Source): Conversion {
  switch (source.service) {
    case "unleash":
      return convertUnleash(source);
    case "launchdarkly":
      return convertLaunchDarkly(source);
    case "flagd":
      return convertFlagd(source);
    default:
      throw new TypeError("The service of a source must be unleash, launchdarkly or flagd");
  }
}
