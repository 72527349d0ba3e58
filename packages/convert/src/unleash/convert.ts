import { type Conversion, convertFlags, keyOf } from "../flags.ts";
import { Segments } from "../segments.ts";
import type { UnleashDocument } from "./document.ts";
import { flagOf, type Occurrence } from "./flags.ts";

/** The flags of an Unleash service. */
export interface UnleashSource {
  readonly service: "unleash";
  /** The name of the project for which the file is. */
  readonly project: string;
  /**
   * The document of each environment, by the name that the environment has here. `documentOfExport`
   * makes it from an export.
   */
  readonly environments: Readonly<Record<string, UnleashDocument>>;
}

/** Converts the flags of an Unleash service. Throws: TypeError for a document without features. */
export function convertUnleash({ project, environments }: UnleashSource): Conversion {
  const occurrences = new Map<string, Occurrence[]>();
  for (const [environment, document] of Object.entries(environments)) {
    if (!Array.isArray(document.features))
      throw new TypeError(
        `The document of the environment ${environment} must have a list of features, as GET /api/client/features of Unleash returns it`,
      );
    for (const [n, feature] of document.features.entries()) {
      const key = keyOf(feature, "name", `/features/${n}`);
      const known = occurrences.get(key) ?? [];
      occurrences.set(key, [...known, { environment, document, feature }]);
    }
  }
  const segments = new Segments();
  return convertFlags(
    occurrences,
    (key, list, changes) => flagOf(key, list, { segments, changes }),
    { project, segments, allowsNesting: false },
  );
}
