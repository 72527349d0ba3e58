import { isObject } from "@feature-flags/file/json";
import { type Conversion, convertFlags, keyOf } from "../flags.ts";
import { Refusal } from "../report.ts";
import type { Schema } from "../schema.ts";
import { Segments } from "../segments.ts";
import { flagSchema, type LdFlag } from "./document.ts";
import { flagOf } from "./flags.ts";

/** The flags of a project of LaunchDarkly. */
export interface LaunchDarklySource {
  readonly service: "launchdarkly";
  /** The name of the project for which the file is. */
  readonly project: string;
  /** The items of all pages of `GET /api/v2/flags/{project}?summary=0`. */
  readonly flags: readonly unknown[];
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
  readonly segments?: readonly unknown[] | undefined;
}

/** Converts the flags of a project of LaunchDarkly, except archived ones. */
export function convertLaunchDarkly(source: LaunchDarklySource): Conversion {
  const places = Object.entries(source.environments).map(([name, one]) => ({
    name,
    key: one.key,
    segments: one.segments,
  }));
  const schema = flagSchema(places.map(({ key }) => key));
  const flags = new Map(
    source.flags.flatMap((flag, n) =>
      isObject(flag) && flag["archived"] === true
        ? []
        : [[keyOf(flag, "key", `/items/${n}`), readOrRefused(flag, schema)] as const],
    ),
  );
  const segments = new Segments();
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

/** Returns a flag, or why the flag cannot be read. */
function readOrRefused(flag: unknown, schema: Schema<LdFlag>): LdFlag | Refusal {
  try {
    return schema(flag, "");
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
