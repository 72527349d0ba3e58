import type {
  FileActivation,
  FileContextValue,
  FileFlag,
  FileFlagTag,
  FileRule,
  FileStrategy,
  FlagsFile,
} from "@feature-flags/file/file";
import { byCodePoint } from "@feature-flags/file/json";
import { splitOf } from "@feature-flags/file/splits";
import type { Pausing } from "@feature-flags/evaluation/pausing";
import type { Serve } from "@feature-flags/evaluation/rule";
import type {
  ActivationContent,
  StoredRule,
  StrategyContent,
} from "../../core/strategies/strategy.ts";
import type { StrategyRow } from "../../model/strategies/queries.ts";
import type { FlagOfFile, ProjectContent } from "../../model/files/queries.ts";

/** The names that a file uses for segments and tags, by their ids. */
export interface FileNames {
  readonly segments: ReadonlyMap<number, string>;
  readonly tags: ReadonlyMap<number, string>;
}

type Named = Readonly<
  Record<"segments" | "tags", readonly { readonly id: number; readonly name: string }[]>
>;

/** Returns the names that segments and tags have now. */
export const namesOf = ({ segments, tags }: Named): FileNames => ({
  segments: new Map(segments.map(({ id, name }) => [id, name])),
  tags: new Map(tags.map(({ id, name }) => [id, name])),
});

/** Returns a project as a file with all fields, also those that have their defaults. */
export function* completeFile(content: ProjectContent, names: FileNames): Pausing<FlagsFile> {
  const strategies = Map.groupBy(content.strategies, ({ flagId }) => flagId);
  const values = Map.groupBy(content.values, ({ definitionId }) => definitionId);
  const flags: [string, FileFlag][] = [];
  for (const flag of content.flags) {
    const own = strategies.get(flag.id) ?? [];
    yield own.map(({ content: strategy }) => strategy);
    flags.push([flag.key, toFlag(flag, own, names)]);
  }
  return {
    version: 1,
    project: content.project.name,
    contexts: Object.fromEntries(
      content.contexts.map(({ id, contextKey, name, contextType }) => [
        contextKey,
        { name, contextType, values: (values.get(id) ?? []).map(toValue) },
      ]),
    ),
    tags: Object.fromEntries(
      content.tags.map(({ id, name, color }) => [names.tags.get(id) ?? name, { color }]),
    ),
    segments: Object.fromEntries(
      content.segments.map(({ id, name, description, constraints }) => [
        names.segments.get(id) ?? name,
        { description, constraints },
      ]),
    ),
    flags: Object.fromEntries(flags),
  };
}

const toValue = ({ value, description }: ProjectContent["values"][number]): FileContextValue =>
  description === null ? value : { value, description };

const toFlag = (
  flag: FlagOfFile,
  strategies: readonly StrategyRow[],
  names: FileNames,
): FileFlag => ({
  name: flag.name,
  description: flag.description,
  flagType: flag.flagType,
  tags: flag.attachedTags
    .map(({ tagId, name, value }) => ({ name: names.tags.get(tagId) ?? name, value }))
    .toSorted((a, b) => byCodePoint(a.name, b.name) || byCodePoint(a.value, b.value))
    .map((tag): FileFlagTag => (tag.name === tag.value ? tag.value : tag)),
  valueType: flag.valueType,
  variants: flag.variants,
  offVariant: flag.offVariant,
  valueSchema: flag.valueSchema,
  prerequisites: flag.prerequisites,
  environments: Object.fromEntries(
    strategies.map(({ environmentName, content, flag: { variants } }) => [
      environmentName,
      toStrategy(content, variants, names),
    ]),
  ),
});

/** Returns a strategy as a file has it, with all fields. `variants`: the keys of the flag's variants. */
const toStrategy = (
  content: StrategyContent,
  variants: readonly string[],
  names: FileNames,
): FileStrategy => ({
  enabled: content.enabled,
  ...toActivation(content, variants, names),
  rules: content.rules.map((rule) => toRule(rule, variants, names)),
});

const toRule = (rule: StoredRule, variants: readonly string[], names: FileNames): FileRule => ({
  id: rule.id,
  name: rule.name,
  ...toActivation(rule, variants, names),
});

const toActivation = (
  content: ActivationContent & { readonly serve: Serve | null },
  variants: readonly string[],
  names: FileNames,
): FileActivation => ({
  percentage: content.exactPercentage ?? content.percentage,
  constraints: content.constraints,
  segments: content.segmentIds.map((id) => names.segments.get(id) ?? String(id)),
  stickiness: content.stickiness,
  hashKey: content.hashKey,
  serve: toServe(content.serve, variants),
  splitKey: content.splitKey,
  splitStickiness: content.splitStickiness,
});

function toServe(serve: Serve | null, variants: readonly string[]) {
  if (serve === null) return { variant: variants[0] ?? "" };
  return "variant" in serve ? serve : splitOf(serve.slots, variants);
}
