import { type Conversion, convertFlags } from "../flags.ts";
import { Segments } from "../segments.ts";
import type { LdFlag, LdSegment } from "./document.ts";
import { flagOf } from "./flags.ts";

/** The flags of a project of LaunchDarkly. */
export interface LaunchDarklySource {
  readonly service: "launchdarkly";
  /** The name of the project for which the file is. */
  readonly project: string;
  /** The items of all pages of `GET /api/v2/flags/{project}?summary=0`. */
  readonly flags: readonly LdFlag[];
  /** The environments, by the name that each has here. */
  readonly environments: Readonly<Record<string, LdSource>>;
}

export interface LdSource {
  /** The key of the environment in LaunchDarkly. */
  readonly key: string;
  /**
   * The items of all pages of `GET /api/v2/segments/{project}/{environment}`. Undefined: unknown, so
   * flags that use a segment are refused.
   */
  readonly segments?: readonly LdSegment[] | undefined;
}

/** Converts the flags of a project of LaunchDarkly, except archived ones. */
export function convertLaunchDarkly(source: LaunchDarklySource): Conversion {
  const present = source.flags.filter(({ archived }) => archived !== true);
  const flags = new Map(present.map((flag) => [flag.key, flag]));
  const segments = new Segments();
  const places = Object.entries(source.environments).map(([name, { key, segments: list }]) => ({
    name,
    key,
    segments: list && new Map(list.map((segment) => [segment.key, segment])),
  }));
  return convertFlags(
    flags,
    (_, flag, changes) => flagOf(flag, { flags, places, segments }, changes),
    {
      project: source.project,
      segments,
      allowsNesting: true,
    },
  );
}
