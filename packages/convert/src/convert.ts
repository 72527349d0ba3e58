import type { FlagsFile } from "@feature-flags/file/file";
import type { FlagReport } from "./report.ts";
import { convertUnleash, type UnleashSource } from "./unleash/convert.ts";

/** The flags of another service. */
export type Source = UnleashSource;

export interface Conversion {
  /** The file, without the flags that were refused. */
  readonly file: FlagsFile;
  /** What became of each flag, in the order of the source. */
  readonly report: readonly FlagReport[];
}

/**
 * Turns the flags of another service into the file with the flags of a project. Throws: TypeError for a
 * source that is not of this service.
 */
export const convert = (source: Source): Conversion => convertUnleash(source);
