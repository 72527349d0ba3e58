import { convert, type Conversion } from "@feature-flags/convert/convert";
import {
  DocumentFault,
  type Documents,
  documentsOf,
  serviceOf,
} from "@feature-flags/convert/documents";
import type { Service } from "@feature-flags/convert/services";
import type { Details, FaultCode } from "@feature-flags/convert/words";
import { checkFile, type Fault } from "@feature-flags/file/check";
import type { FlagsFile } from "@feature-flags/file/file";
import { isRounded } from "@feature-flags/file/rounded";
import { parseDocument, visit } from "yaml";

/** A text to import, with the name of its file. */
export interface Text {
  readonly name: string;
  readonly text: string;
}

/** What texts are. */
export type ReadDocument =
  | { readonly kind: "file"; readonly file: FlagsFile }
  /** Documents of another service, whose environments the user must choose. */
  | { readonly kind: "documents"; readonly documents: Documents }
  | { readonly kind: "faults"; readonly faults: readonly Fault[] }
  /** The text is neither YAML nor JSON, or no document that can be converted. */
  | { readonly kind: "unreadable"; readonly message: string }
  | RefusedDocuments;

/** The documents cannot be converted. */
export interface RefusedDocuments {
  readonly kind: "refused";
  readonly code: FaultCode;
  readonly details: Details;
}

/** What documents of another service become. */
export type Converted =
  | ({ readonly kind: "converted"; readonly service: Service } & Conversion)
  | { readonly kind: "unreadable"; readonly message: string }
  | RefusedDocuments;

/** How many nodes aliases may stand for, per node of the file. Protects against a YAML bomb. */
const MAX_ALIASES = 100;

/** Reads a file with flags, as YAML or JSON, or documents of another service. */
export function readDocuments(texts: readonly Text[]): ReadDocument {
  try {
    const given = texts.map(({ name, text }) => ({ name, value: parse(text) }));
    const [first, ...others] = given;
    if (others.length > 0 || serviceOf(first?.value) !== undefined)
      return { kind: "documents", documents: documentsOf(given) };
    const checked = checkFile(first?.value);
    return "file" in checked
      ? { kind: "file", file: checked.file }
      : { kind: "faults", faults: checked.faults };
  } catch (error) {
    return failure(error);
  }
}

/**
 * Converts documents of another service.
 *
 * @param project the name of the project
 * @param environments the environments in the documents, by the name that each has in the project
 */
export function convertDocuments(
  documents: Documents,
  project: string,
  environments: ReadonlyMap<string, string>,
): Converted {
  try {
    const conversion = convert(documents.toSource(project, environments));
    return { kind: "converted", service: documents.service, ...conversion };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown) {
  if (error instanceof DocumentFault)
    return { kind: "refused", code: error.code, details: error.details } as const;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "unreadable", message } as const;
}

/** JSON is YAML, too. Throws: the first error of the text, with its line. */
function parse(text: string): unknown {
  const document = parseDocument(text, { uniqueKeys: true, version: "1.2" });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw problem;
  visit(document, {
    Scalar(_key, { value, source = "" }) {
      if (typeof value === "number" && isRounded(source))
        throw new Error(`${source} would be rounded: write it in quotes, or with fewer digits`);
    },
  });
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}
