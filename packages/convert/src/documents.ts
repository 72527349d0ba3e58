import { isObject } from "@feature-flags/file/json";
import type { Source } from "./convert.ts";
import type { FlagdDocument } from "./flagd/document.ts";
import type { UnleashDocument } from "./unleash/document.ts";
import type { Service } from "./services.ts";
import { documentOfExport, type UnleashExport } from "./unleash/export.ts";
import { type Details, type DetailsOf, type FaultCode, FAULTS, filled } from "./words.ts";

/** A document of another service: a file, or the response of an API. */
export interface Document {
  /** Names the document for the user, such as a file. */
  readonly name: string;
  /** Plain JSON. */
  readonly value: unknown;
}

/** The documents cannot be converted. */
export class DocumentFault<Code extends FaultCode = FaultCode> extends Error {
  override readonly name = "DocumentFault";
  readonly code: Code;
  readonly details: Details;

  constructor(code: Code, ...details: DetailsOf<(typeof FAULTS)[Code]>) {
    const [given = {}] = details as [Details?];
    super(filled(FAULTS[code], given));
    this.code = code;
    this.details = given;
  }
}

/** Documents of one service. */
export interface Documents {
  readonly service: Service;
  /**
   * The environments in the documents: their keys in LaunchDarkly. A document of Unleash or flagd has
   * one environment, and the document's name stands for it.
   */
  readonly environments: readonly string[];
  /**
   * Returns what `convert` takes. Throws: DocumentFault.
   *
   * @param environments the environments in the documents, by the name that each has in the project
   */
  readonly toSource: (project: string, environments: ReadonlyMap<string, string>) => Source;
}

type Json = Readonly<Record<string, unknown>>;

/** Returns the service to which a document belongs; undefined for any other document. */
export function serviceOf(value: unknown): Service | undefined {
  if (!isObject(value)) return undefined;
  if (Array.isArray(value["features"]) || Array.isArray(value["segments"])) return "unleash";
  if (Array.isArray(value["items"])) return "launchdarkly";
  const { flags } = value;
  return isObject(flags) && !("project" in value) && Object.values(flags).some(isFlagdFlag)
    ? "flagd"
    : undefined;
}

const isFlagdFlag = (flag: unknown): boolean =>
  isObject(flag) && ("state" in flag || "defaultVariant" in flag);

/** Recognises documents. Throws: DocumentFault unless all belong to one service, and one has flags. */
export function documentsOf(documents: readonly Document[]): Documents {
  const services = new Set(
    documents.map(({ name, value }) => {
      const service = serviceOf(value);
      if (!service) throw new DocumentFault("unknownDocument", { document: name });
      return service;
    }),
  );
  const [service, ...others] = services;
  if (others.length > 0) throw new DocumentFault("severalServices");
  const given = documents.map(({ name, value }) => ({ name, value: value as Json }));
  if (service === "launchdarkly") return launchDarkly(given);
  return byDocument(service === "flagd" ? service : "unleash", given);
}

interface Given {
  readonly name: string;
  readonly value: Json;
}

/** Returns the documents of a service whose documents have one environment each. */
function byDocument(service: "unleash" | "flagd", given: readonly Given[]): Documents {
  const isOfFlags = ({ value }: Given) => service === "flagd" || "features" in value;
  const found = new Map(given.filter(isOfFlags).map((one) => [one.name, one]));
  if (found.size === 0) throw new DocumentFault("noFlags");
  const lists = given.flatMap((one) =>
    isOfFlags(one) ? [] : [one.value["segments"] as readonly unknown[]],
  );
  const segments = lists.length > 0 ? lists.flat() : undefined;
  const documentOf = (name: string): Given => {
    const document = found.get(name);
    if (!document) throw new DocumentFault("unknownEnvironment", { environment: name });
    return document;
  };
  return {
    service,
    environments: [...found.keys()],
    toSource: (project, environments) => {
      const entries = Array.from(environments, ([own, name]) => [own, documentOf(name)] as const);
      return service === "flagd"
        ? {
            service,
            project,
            environments: Object.fromEntries(
              entries.map(([own, { value }]) => [own, value as unknown as FlagdDocument]),
            ),
          }
        : {
            service,
            project,
            environments: Object.fromEntries(
              entries.map(([own, document]) => [own, unleashDocument(document, segments)]),
            ),
          };
    },
  };
}

/** Throws: DocumentFault for an export whose strategies use segments, which it does not have. */
function unleashDocument(
  { name, value }: Given,
  segments: readonly unknown[] | undefined,
): UnleashDocument {
  if (!Array.isArray(value["featureStrategies"])) return value as unknown as UnleashDocument;
  const source = value as unknown as UnleashExport;
  const usesSegments = source.featureStrategies.some(
    (one) => isObject(one) && Array.isArray(one["segments"]) && one["segments"].length > 0,
  );
  if (usesSegments && !segments) throw new DocumentFault("lacksSegments", { document: name });
  return documentOfExport(source, { segments });
}

const allItemsOf = ({ value }: Given) => value["items"] as readonly unknown[];

const itemsOf = (one: Given) => allItemsOf(one).filter(isObject);

const isFlagList = (one: Given): boolean => itemsOf(one).some((item) => "variations" in item);

function launchDarkly(given: readonly Given[]): Documents {
  const lists = given.filter(isFlagList);
  if (lists.length === 0) throw new DocumentFault("noFlags");
  for (const one of lists)
    if (!itemsOf(one).some(hasRules)) throw new DocumentFault("summary", { document: one.name });
  assertComplete(lists);
  const flags = lists.flatMap(allItemsOf);
  const keys = new Set(lists.flatMap(itemsOf).flatMap(environmentsOf));
  return {
    service: "launchdarkly",
    environments: [...keys],
    toSource: (project, environments) => {
      const segments = segmentsBy(
        given.filter((one) => !isFlagList(one)),
        [...environments.values()],
      );
      const entries = Array.from(environments, ([own, key]) => {
        if (!keys.has(key)) throw new DocumentFault("unknownEnvironment", { environment: key });
        return [own, { key, segments: segments.get(key) }] as const;
      });
      return { service: "launchdarkly", project, flags, environments: Object.fromEntries(entries) };
    },
  };
}

const environmentsOf = ({ environments }: Json): readonly string[] =>
  isObject(environments) ? Object.keys(environments) : [];

/** A summary has flags whose environments have no rules. */
const hasRules = ({ environments }: Json): boolean =>
  isObject(environments) &&
  Object.values(environments).some((one) => isObject(one) && "rules" in one);

/** Throws: DocumentFault if there are less items than the service says. */
function assertComplete(lists: readonly Given[]): void {
  const [first] = lists;
  const count = lists.reduce((sum, one) => sum + allItemsOf(one).length, 0);
  const total = first?.value["totalCount"];
  if (first && typeof total === "number" && count < total)
    throw new DocumentFault("pages", { document: first.name, count, total });
}

/**
 * Returns the segments by the key of their environment, which is in the address of the document or of a
 * segment. Throws: DocumentFault if it is unknown, and there are several environments.
 */
function segmentsBy(
  lists: readonly Given[],
  wanted: readonly string[],
): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, Given[]>();
  for (const one of lists) {
    const key = environmentOf(one) ?? (wanted.length === 1 ? wanted[0] : undefined);
    if (key === undefined) throw new DocumentFault("segmentEnvironment", { document: one.name });
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return new Map(
    Array.from(found, ([key, pages]) => {
      assertComplete(pages);
      return [key, pages.flatMap(allItemsOf)] as const;
    }),
  );
}

function environmentOf({ value }: Given): string | undefined {
  const addresses = [value, ...itemsOf({ name: "", value })].map(addressOf);
  const found = addresses.map((address) => /\/segments\/[^/]+\/([^/?]+)/.exec(address)?.[1]);
  return found.find((key) => key !== undefined);
}

function addressOf({ _links: links }: Json): string {
  const self = isObject(links) ? links["self"] : undefined;
  return isObject(self) ? String(self["href"]) : "";
}
