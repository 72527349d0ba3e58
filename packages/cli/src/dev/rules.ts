import {
  type ClientRule,
  type Prerequisite,
  type RuleFlag,
  type RuleSegment,
  type RuleStrategy,
  type Serve,
  toClientRule,
} from "@feature-flags/evaluation/rule";
import { fromFile, toConstraint } from "@feature-flags/file/activation";
import { manifestFlag, shortDescription } from "@feature-flags/client-api/manifest";
import { defaultOf, variantKeys } from "@feature-flags/file/defaults";
import type {
  FileActivation,
  FileFlag,
  FilePrerequisite,
  FileServe,
  FileStrategy,
  FlagsFile,
} from "@feature-flags/file/file";
import { resolveFile } from "@feature-flags/file/resolve";
import { withSlots } from "@feature-flags/file/splits";
import { Failure } from "../failure.ts";
import { didYouMean } from "../nearest.ts";
import type { Served } from "./environment.ts";

/**
 * Makes the rules of an environment and the manifest from a file, as the service makes them after an
 * apply to an empty project. Throws: a Failure when no flag of the file has the environment.
 *
 * @param settings what each flag serves to everybody: the key of a variant by the key of the flag
 */
export async function rulesOfFile(
  file: FlagsFile,
  environment: string,
  settings: ReadonlyMap<string, string>,
): Promise<Served> {
  const empty: FlagsFile = { version: 1, project: file.project };
  const { flags = {}, segments = {} } = (await resolveFile(file, empty)).file;
  const names = new Set(
    Object.values(flags).flatMap((flag) => Object.keys(flag.environments ?? {})),
  );
  if (!names.has(environment))
    throw new Failure("usage", `No flag of the file has the environment ${environment}`, {
      remedy: didYouMean(environment, [...names]),
    });
  for (const key of settings.keys())
    if (!Object.hasOwn(flags, key))
      throw new Failure("usage", `--set names a flag that the file does not have: ${key}`, {
        remedy: didYouMean(key, Object.keys(flags)),
      });
  const ids = new Map(Object.keys(segments).map((name, index) => [name, index]));
  const known = new Map(
    Object.entries(segments).map(([name, { constraints = [] }], index): [number, RuleSegment] => [
      index,
      { name, constraints: constraints.map(toConstraint) },
    ]),
  );
  const rules = Object.entries(flags).map(([key, flag]): ClientRule => {
    const fixed = settings.get(key);
    if (fixed !== undefined) return fixedRule(key, flag, fixed);
    const strategy = flag.environments?.[environment] ?? {};
    return toClientRule(toFlag(key, flag), toStrategy(strategy, flag, ids), known);
  });
  return { rules, manifest: manifestOf(flags) };
}

/** Returns the manifest of the flags in the order of the file, in which an apply creates them. */
function manifestOf(flags: NonNullable<FlagsFile["flags"]>): string {
  const list = Object.entries(flags).map(([key, flag]) => {
    const { name = key, description = null, valueType = "boolean" } = flag;
    const variants = flag.variants ?? BOOLEAN_VARIANTS;
    const { offVariant } = toFlag(key, flag);
    return manifestFlag({
      key,
      name,
      description: shortDescription(description),
      valueType,
      variants,
      offVariant: offVariant ?? null,
    });
  });
  return JSON.stringify({ flags: list });
}

const BOOLEAN_VARIANTS = [
  { key: "on", value: true },
  { key: "off", value: false },
];

const toFlag = (key: string, flag: FileFlag): RuleFlag => ({
  key,
  name: flag.name ?? key,
  valueType: flag.valueType,
  variants: flag.variants,
  offVariant:
    flag.offVariant === undefined
      ? (defaultOf({ kind: "flag", key, flag }, "offVariant") as string | null)
      : flag.offVariant,
  prerequisites: (flag.prerequisites ?? []).map(toPrerequisite),
  clients: flag.clients,
});

const toPrerequisite = ({ flagKey, enabled, variants }: FilePrerequisite): Prerequisite => ({
  flagKey,
  ...(enabled !== undefined && { enabled }),
  ...(variants !== undefined && { variants }),
});

/** Returns a rule that serves one variant to everybody. Throws: a Failure for an unknown variant. */
function fixedRule(key: string, flag: FileFlag, variant: string): ClientRule {
  const variants = variantKeys(flag);
  if (!variants.includes(variant))
    throw new Failure("usage", `The flag ${key} has no variant ${variant}`, {
      remedy: didYouMean(variant, variants),
    });
  const strategy = toStrategy({ enabled: true, serve: { variant } }, flag, new Map());
  return toClientRule({ ...toFlag(key, flag), prerequisites: [] }, strategy, new Map());
}

type Ids = ReadonlyMap<string, number>;

const toStrategy = (
  { enabled = false, rules = [], ...last }: FileStrategy,
  flag: FileFlag,
  ids: Ids,
): RuleStrategy => ({
  enabled,
  ...toActivation(last, flag, ids),
  rules: rules.map(({ id = "", ...rule }) => ({ id, ...toActivation(rule, flag, ids) })),
});

function toActivation(activation: FileActivation, flag: FileFlag, ids: Ids) {
  const stored = fromFile(activation, {
    // An id that no segment has makes the rule never hold.
    segment: (name) => ids.get(name) ?? -1,
    serve: (serve) => toServe(serve, flag),
  });
  const { percentage = 100, constraints = [], segmentIds = [], ...rest } = stored;
  return { percentage, constraints, segmentIds, ...rest };
}

function toServe(serve: FileServe, flag: FileFlag): Serve {
  const complete = withSlots(serve, variantKeys(flag));
  return "variant" in complete ? complete : { slots: complete.slots ?? [] };
}
