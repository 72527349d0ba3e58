import { isObject } from "@feature-flags/file/json";
import { type Conversion, convertFlags } from "../flags.ts";
import { Segments } from "../segments.ts";
import type { FlagdDocument } from "./document.ts";
import { type FlagdOccurrence, flagOf } from "./flags.ts";

/** The flags of flagd. */
export interface FlagdSource {
  readonly service: "flagd";
  /** The name of the project for which the file is. */
  readonly project: string;
  /** The file of each environment, by the name that the environment has here. */
  readonly environments: Readonly<Record<string, FlagdDocument>>;
}

/** Converts the flags of flagd. Throws: TypeError for a document without flags. */
export function convertFlagd({ project, environments }: FlagdSource): Conversion {
  const occurrences = new Map<string, FlagdOccurrence[]>();
  for (const [environment, document] of Object.entries(environments)) {
    if (!isObject(document.flags))
      throw new TypeError(
        `The document of the environment ${environment} must have flags, as a file of flagd has them`,
      );
    for (const [key, flag] of Object.entries(document.flags))
      occurrences.set(key, [...(occurrences.get(key) ?? []), { environment, document, flag }]);
  }
  return convertFlags(occurrences, flagOf, {
    project,
    segments: new Segments(),
    allowsNesting: true,
  });
}
