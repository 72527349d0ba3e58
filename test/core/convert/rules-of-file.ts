import {
  type Constraint,
  type Prerequisite,
  type RuleSegment,
  type Serve,
  type ClientRule,
  toClientRule,
} from "@feature-flags/evaluation/rule";
import type {
  FileActivation,
  FileConstraint,
  FileServe,
  FlagsFile,
} from "@feature-flags/file/file";
import { resolveFile } from "@feature-flags/file/resolve";

const toConstraint = ({
  values = [],
  contextType = "string",
  ...rest
}: FileConstraint): Constraint => ({ ...rest, values, contextType }) as Constraint;

const toServe = (serve: FileServe | undefined): Serve | undefined =>
  serve && ("variant" in serve ? serve : { slots: serve.slots ?? [] });

/** Returns the rules of the flags of a file in an environment, as an apply to a new project makes them. */
export async function rulesOfFile(source: FlagsFile, environment: string): Promise<ClientRule[]> {
  const { file } = await resolveFile(source, { version: 1, project: source.project });
  const names = Object.keys(file.segments ?? {});
  const segments = new Map<number, RuleSegment>();
  for (const [id, name] of names.entries()) {
    const constraints = (file.segments?.[name]?.constraints ?? []).map(toConstraint);
    segments.set(id, { name, constraints });
  }
  const toActivation = (from: FileActivation) => ({
    percentage: from.percentage ?? 100,
    constraints: (from.constraints ?? []).map(toConstraint),
    segmentIds: (from.segments ?? []).map((name) => names.indexOf(name)),
    stickiness: from.stickiness,
    hashKey: from.hashKey,
    serve: toServe(from.serve),
    splitKey: from.splitKey,
    splitStickiness: from.splitStickiness,
  });
  return Object.entries(file.flags ?? {}).map(([key, flag]) => {
    const { enabled = false, rules = [], ...own } = flag.environments?.[environment] ?? {};
    const { name = key, valueType, variants, offVariant, prerequisites } = flag;
    return toClientRule(
      {
        key,
        name,
        valueType,
        variants,
        offVariant,
        prerequisites: prerequisites as readonly Prerequisite[] | undefined,
      },
      {
        ...toActivation(own),
        enabled,
        rules: rules.map((rule) => Object.assign({ id: rule.id ?? "" }, toActivation(rule))),
      },
      segments,
    );
  });
}
