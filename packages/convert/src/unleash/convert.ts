import type { FlagsFile } from "@feature-flags/file/file";
import type { FlagReport } from "../report.ts";
import type { UnleashDocument } from "./document.ts";
import { convertFlag, type Occurrence, withRequired } from "./flags.ts";
import { Segments } from "./segments.ts";

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
export function convertUnleash({ project, environments }: UnleashSource): {
  readonly file: FlagsFile;
  readonly report: readonly FlagReport[];
} {
  const occurrences = new Map<string, Occurrence[]>();
  for (const [environment, document] of Object.entries(environments)) {
    if (!Array.isArray(document.features))
      throw new TypeError(
        `The document of the environment ${environment} must have a list of features, as GET /api/client/features of Unleash returns it`,
      );
    for (const feature of document.features) {
      const known = occurrences.get(feature.name) ?? [];
      occurrences.set(feature.name, [...known, { environment, document, feature }]);
    }
  }
  const segments = new Segments();
  const converted = new Map(
    Array.from(occurrences, ([key, list]) => [key, convertFlag(key, list, segments)] as const),
  );
  const flags = withRequired(converted);
  const kept = [...flags].flatMap(([key, { flag }]) => (flag ? [[key, flag] as const] : []));
  const names = new Set(kept.flatMap(([, { tags = [] }]) => tags).map(String));
  const used = segments.usedBy(kept.map(([, flag]) => flag));
  return {
    file: {
      version: 1,
      project,
      ...(names.size > 0 && { tags: Object.fromEntries(Array.from(names, (name) => [name, {}])) }),
      ...(Object.keys(used).length > 0 && { segments: used }),
      flags: Object.fromEntries(kept),
    },
    report: Array.from(flags.values(), ({ report }) => report),
  };
}
