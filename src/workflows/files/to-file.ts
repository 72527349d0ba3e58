import type {
  FileContextValue,
  FileFlag,
  FileFlagTag,
  FileStrategy,
  FlagsFile,
} from "@feature-flags/file/file";
import { byCodePoint } from "@feature-flags/file/json";
import { splitOf } from "@feature-flags/file/splits";
import type { Pausing } from "@feature-flags/evaluation/pausing";
import type { Serve } from "@feature-flags/evaluation/rule";
import type { StrategyContent } from "../../core/strategies/strategy.ts";
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
  clients: flag.clients,
  environments: Object.fromEntries(
    strategies.map(({ environmentName, content, flag: { variants } }) => [
      environmentName,
      toStrategy(content, variants, names),
    ]),
  ),
});

/** Returns a strategy as a file has it, with all fields. `variants`: the keys of the flag's variants. */
const toStrategy = (
  { rules, ...last }: StrategyContent,
  variants: readonly string[],
  names: FileNames,
): FileStrategy => ({
  ...toActivation(last, variants, names),
  rules: rules.map((rule) => toActivation(rule, variants, names)),
});

const toActivation = <T extends Pick<StrategyContent, "segmentIds" | "serve">>(
  { segmentIds, ...same }: T,
  variants: readonly string[],
  names: FileNames,
) => ({
  ...same,
  segments: segmentIds.map((id) => names.segments.get(id) ?? String(id)),
  serve: toServe(same.serve, variants),
});

function toServe(serve: Serve | null, variants: readonly string[]) {
  if (serve === null) return { variant: variants[0] ?? "" };
  return "variant" in serve ? serve : splitOf(serve.slots, variants);
}
