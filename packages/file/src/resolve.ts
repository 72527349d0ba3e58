import { firstVariant, type Owner, variantKeys } from "./defaults.ts";
import type { FileFlag, FileRule, FileServe, FileStrategy, FlagsFile, Named } from "./file.ts";
import type { Warning } from "./plan.ts";
import { pointer } from "./pointer.ts";
import { matchRules } from "./rules.ts";
import { resolvedServe } from "./splits.ts";

/** A file whose rules have ids and whose splits have slots. */
export interface Resolved {
  readonly file: FlagsFile;
  readonly warnings: readonly Warning[];
}

/**
 * Gives the rules of a file their ids and the splits their slots, from what the service has.
 * `current`: the project, with the ids of all rules and the slots of all splits. `pause` is called
 * before each strategy, so that a caller can do something else in between.
 */
export async function resolveFile(
  file: FlagsFile,
  current: FlagsFile,
  pause?: (strategy: FileStrategy) => Promise<void>,
): Promise<Resolved> {
  const warnings: Warning[] = [];
  const flags: [string, FileFlag][] = [];
  for (const [key, flag] of Object.entries(file.flags ?? {})) {
    const before = own(current.flags, key);
    const environments: [string, FileStrategy][] = [];
    const values = { valueType: flag.valueType, variants: flag.variants ?? before?.variants };
    for (const [name, strategy] of Object.entries(flag.environments ?? {})) {
      await pause?.(strategy);
      const place = { path: ["flags", key, "environments", name], flag: values, warnings };
      environments.push([name, await resolved(strategy, own(before?.environments, name), place)]);
    }
    flags.push([
      key,
      flag.environments ? { ...flag, environments: Object.fromEntries(environments) } : flag,
    ]);
  }
  return { file: file.flags ? { ...file, flags: Object.fromEntries(flags) } : file, warnings };
}

/** Returns the value with the name. A name can be one that all objects have, such as `toString`. */
export const own = <T>(map: Named<T> | undefined, name: string): T | undefined =>
  map && Object.hasOwn(map, name) ? map[name] : undefined;

interface Place {
  readonly path: readonly (string | number)[];
  readonly flag: NonNullable<Owner["flag"]>;
  readonly warnings: Warning[];
}

async function resolved(
  strategy: FileStrategy,
  current: FileStrategy | undefined,
  { path, flag, warnings }: Place,
): Promise<FileStrategy> {
  const variants = variantKeys(flag);
  const serveAt = (
    place: readonly (string | number)[],
    wanted: FileServe,
    now: FileServe | undefined,
  ): FileServe => {
    const { serve, isOutdated } = resolvedServe(wanted, now, variants);
    if (isOutdated)
      warnings.push({
        path: pointer(...place, "slots"),
        message:
          "belong to other weights, so they are replaced by those with the fewest changes; export the file again",
      });
    return serve;
  };
  const serve = strategy.serve && serveAt([...path, "serve"], strategy.serve, current?.serve);
  if (!strategy.rules) return serve ? { ...strategy, serve } : strategy;
  const owner: Owner = { kind: "strategy", key: "", flag };
  const before = current?.rules ?? [];
  const matched = await matchRules({ place: pointer(...path), owner }, strategy.rules, before);
  const continued = new Set(matched.map((one) => one.current));
  const isLost = before.some((one) => !continued.has(one));
  const rules = matched.map(({ rule, current: now }, n): FileRule => {
    const place = [...path, "rules", n];
    if (!now && isLost && strategy.rules?.[n]?.id === undefined && rule.name == null)
      warnings.push({
        path: pointer(...place),
        message:
          "is a new rule, because it has neither an id nor a name, and no rule has this content",
      });
    const wanted = rule.serve ?? firstVariant(variants);
    return Object.assign(rule, { serve: serveAt([...place, "serve"], wanted, now?.serve) });
  });
  return { ...strategy, ...(serve && { serve }), rules };
}
