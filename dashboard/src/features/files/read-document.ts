import { convert, type Conversion } from "@feature-flags/convert/convert";
import type { UnleashDocument } from "@feature-flags/convert/unleash/document";
import { documentOfExport, type UnleashExport } from "@feature-flags/convert/unleash/export";
import { checkFile, type Fault } from "@feature-flags/file/check";
import type { FlagsFile } from "@feature-flags/file/file";
import { isObject } from "@feature-flags/file/json";
import { parseDocument } from "yaml";

/** Where the flags of another service go. */
export interface Target {
  /** The name of the project. */
  readonly project: string;
  /** The name of the environment to which a document of one environment belongs. */
  readonly environment: string;
}

/** What a text is. */
export type ReadDocument =
  | { readonly kind: "file"; readonly file: FlagsFile }
  | ({ readonly kind: "converted" } & Conversion)
  | { readonly kind: "faults"; readonly faults: readonly Fault[] }
  /** The text is neither YAML nor JSON, or no document that can be converted. */
  | { readonly kind: "unreadable"; readonly message: string }
  /** An export of Unleash uses segments, and does not have their constraints. */
  | { readonly kind: "lacksSegments" };

/** How many nodes aliases may stand for, per node of the file. Protects against a YAML bomb. */
const MAX_ALIASES = 100;

/**
 * Reads a file with flags, as YAML or JSON, or a document of Unleash: the response of
 * `GET /api/client/features`, or an export.
 */
export function readDocument(text: string, target: Target): ReadDocument {
  try {
    const value = parse(text);
    if (isObject(value) && Array.isArray(value["features"])) return converted(value, target);
    const checked = checkFile(value);
    return "file" in checked
      ? { kind: "file", file: checked.file }
      : { kind: "faults", faults: checked.faults };
  } catch (error) {
    return { kind: "unreadable", message: error instanceof Error ? error.message : String(error) };
  }
}

/** JSON is YAML, too. Throws: the first error of the text, with its line. */
function parse(text: string): unknown {
  const document = parseDocument(text, { uniqueKeys: true, version: "1.2" });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw problem;
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}

/** Converts a document of Unleash. Throws: TypeError for a document of another form. */
function converted(
  value: Readonly<Record<string, unknown>>,
  { project, environment }: Target,
): ReadDocument {
  const document = unleashDocument(value);
  if (!document) return { kind: "lacksSegments" };
  const source = {
    service: "unleash",
    project,
    environments: { [environment]: document },
  } as const;
  return { kind: "converted", ...convert(source) };
}

/** Returns the document of an environment; undefined for an export that uses segments. */
function unleashDocument(value: Readonly<Record<string, unknown>>): UnleashDocument | undefined {
  if (!Array.isArray(value["featureStrategies"])) return value as unknown as UnleashDocument;
  const source = value as unknown as UnleashExport;
  const usesSegments = source.featureStrategies.some(({ segments = [] }) => segments.length > 0);
  return usesSegments ? undefined : documentOfExport(source, { segments: [] });
}
