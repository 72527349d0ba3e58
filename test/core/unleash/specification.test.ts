import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import names from "@unleash/client-specification/specifications/index.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import { convert } from "@feature-flags/convert/convert";
import type {
  UnleashDocument,
  UnleashFeature,
  UnleashSegment,
} from "@feature-flags/convert/unleash/document";
import { unleashDocument } from "@feature-flags/unleash";
import { rulesOfFile } from "../convert/rules-of-file.ts";
import type { Unleash } from "unleash-client";
import { unleashWith } from "./unleash-sdk.ts";

type Context = Parameters<Unleash["isEnabled"]>[1];

interface Case<Expected> {
  readonly description: string;
  readonly context: Context;
  readonly toggleName: string;
  readonly expectedResult: Expected;
}

interface DeltaEvent {
  readonly type: string;
  readonly features?: readonly UnleashFeature[];
  readonly feature?: UnleashFeature;
  readonly featureName?: string;
  readonly segment?: UnleashSegment;
}

/** A file of the specification that all SDKs of Unleash must meet. */
interface Specification {
  readonly name: string;
  readonly state: UnleashDocument | { readonly events: readonly DeltaEvent[] };
  readonly tests?: readonly Case<boolean>[];
  readonly variantTests?: readonly Case<{ readonly name: string; readonly payload?: unknown }>[];
}

const FOLDER = "node_modules/@unleash/client-specification/specifications";

const SPECIFICATIONS = names.map(
  (name) => JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8")) as Specification,
);

/** Returns the document of a file: its state, or what is left after its events. */
function documentOf({ state }: Specification): UnleashDocument {
  if ("features" in state) return state;
  const features = new Map<string, UnleashFeature>();
  const segments: UnleashSegment[] = [];
  for (const { type, feature, featureName = "", segment, ...event } of state.events) {
    if (type === "feature-removed") features.delete(featureName);
    if (segment) segments.push(segment);
    for (const one of feature ? [feature] : (event.features ?? [])) features.set(one.name, one);
  }
  return { features: [...features.values()], segments };
}

/** Returns the document after a round trip: import from Unleash, then the mapping to Unleash. */
async function returned(source: UnleashDocument) {
  const { file } = convert({
    service: "unleash",
    project: "shop",
    environments: { production: source },
  });
  const rules = await rulesOfFile(file, "production");
  const { features, notes } = unleashDocument(rules, "a");
  const incomplete = new Set(
    notes.filter(({ level }) => level !== "approximate").map(({ flagKey }) => flagKey),
  );
  const known = new Set(features.map(({ name }) => name));
  const isMapped = (name: string) => known.has(name) && !incomplete.has(name);
  return { unleash: unleashWith({ features }), isMapped };
}

/** How many tests there are, how many of them speak of a flag that is mapped completely, and how many have the same result. */
interface Counts {
  tests: number;
  mapped: number;
  equal: number;
}

/** Compares the results of all tests. Returns the counts, and the descriptions of the tests with another result. */
async function compare<Expected>(
  testsOf: (specification: Specification) => readonly Case<Expected>[] | undefined,
  isEqual: (unleash: Unleash, test: Case<Expected>) => boolean,
) {
  const counts: Counts = { tests: 0, mapped: 0, equal: 0 };
  const others: string[] = [];
  for (const specification of SPECIFICATIONS) {
    const { unleash, isMapped } = await returned(documentOf(specification));
    for (const test of testsOf(specification) ?? []) {
      counts.tests++;
      if (!isMapped(test.toggleName)) continue;
      counts.mapped++;
      if (isEqual(unleash, test)) counts.equal++;
      else others.push(test.description);
    }
  }
  return { counts, others };
}

describe("the specification of SDKs of Unleash, after an import and the mapping", () => {
  it("gives the same state, except for decisions of this service", async () => {
    const { counts, others } = await compare(
      ({ tests }) => tests,
      (unleash, { toggleName, context, expectedResult }) =>
        unleash.isEnabled(toggleName, context) === expectedResult,
    );
    expect(others).toEqual([
      // A split without the id that it hashes: here, the flag is off.
      "F9.globalSegmentOn should be enabled",
      // In Unleash, a flag is off that requires a flag with prerequisites of its own.
      "Child is disabled if a transitive dependency exists.",
    ]);
    expect(counts).toEqual({ tests: 227, mapped: 211, equal: 209 });
  });

  it("gives the same variants, except for decisions of this service", async () => {
    const { counts, others } = await compare(
      ({ variantTests }) => variantTests,
      (unleash, { toggleName, context, expectedResult: { name, payload } }) =>
        isDeepStrictEqual(
          [unleash.getVariant(toggleName, context)].map((one) => [one.name, one.payload]),
          [[name, payload]],
        ),
    );
    expect(others).toEqual(["Child yields a disabled variant because of a transitive dependency."]);
    expect(counts).toEqual({ tests: 52, mapped: 37, equal: 36 });
  });
});
