import type { FileFlag, FlagsFile } from "@feature-flags/file/file";

/**
 * The most JSON of a part, characters. The service takes bodies of up to 8 MiB, and one transaction takes
 * 16 MB: about three times as much as the JSON of a part, and more for short ones.
 */
const MAX_LENGTH = 3_500_000;

/** How much a flag and a strategy count besides their JSON, characters. */
const RESOURCE_LENGTH = 300;

/**
 * Splits a file into files that can be applied one after the other. Flags that require each other, or
 * use the same segment, stay together, so that each part is complete. If too many flags use the same
 * segment for one part, only those that require each other stay together. A file without large parts is
 * one part.
 */
export function partsOf(file: FlagsFile, maxLength = MAX_LENGTH): readonly FlagsFile[] {
  const { flags = {}, segments = {}, ...rest } = file;
  const parts: { readonly keys: string[]; length: number }[] = [];
  const groups = groupsOf(flags, segmentsOf).flatMap((keys) =>
    lengthOf(flags, keys) > maxLength ? groupsOf(picked(flags, keys), () => []) : [keys],
  );
  for (const keys of groups) {
    const length = lengthOf(flags, keys);
    const last = parts.at(-1);
    if (last !== undefined && last.length + length <= maxLength) {
      last.keys.push(...keys);
      last.length += length;
    } else parts.push({ keys: [...keys], length });
  }
  if (parts.length <= 1) return [file];
  const used = parts.map(({ keys }) => new Set(keys.flatMap((key) => segmentsOf(flags[key]))));
  const unused = Object.keys(segments).filter((name) => !used.some((names) => names.has(name)));
  return parts.map(({ keys }, index) => {
    const names = [...(used[index] ?? []), ...(index === 0 ? unused : [])];
    return Object.assign({}, rest, {
      segments: picked(segments, names),
      flags: picked(flags, keys),
    });
  });
}

const lengthOf = (flags: Flags, keys: readonly string[]): number =>
  keys.reduce((sum, key) => {
    const strategies = Object.keys(flags[key]?.environments ?? {}).length;
    return sum + JSON.stringify(flags[key]).length + (1 + strategies) * RESOURCE_LENGTH;
  }, 0);

const picked = <T>(map: Readonly<Record<string, T>>, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(map, name) ? map[name] : undefined;
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

type Flags = Readonly<Record<string, FileFlag>>;

/** Returns the keys of the flags in groups that stay together, in the order of the file. */
function groupsOf(
  flags: Flags,
  segmentsFor: (flag: FileFlag) => readonly string[],
): readonly (readonly string[])[] {
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    if (root !== name) parents.set(name, root);
    return root;
  };
  const join = (one: string, other: string) => {
    const [a, b] = [rootOf(one), rootOf(other)];
    if (a !== b) parents.set(a, b);
  };
  for (const [key, flag] of Object.entries(flags)) {
    for (const { flagKey } of flag.prerequisites ?? []) join(`flag ${key}`, `flag ${flagKey}`);
    for (const name of segmentsFor(flag)) join(`flag ${key}`, `segment ${name}`);
  }
  const groups = new Map<string, string[]>();
  for (const key of Object.keys(flags)) {
    const root = rootOf(`flag ${key}`);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [key]);
    else group.push(key);
  }
  return [...groups.values()];
}

const segmentsOf = (flag: FileFlag | undefined): readonly string[] =>
  Object.values(flag?.environments ?? {}).flatMap(({ segments = [], rules = [] }) =>
    segments.concat(rules.flatMap((rule) => rule.segments ?? [])),
  );
