import type { FileFlag, FlagsFile } from "@feature-flags/file/file";
import { isObject } from "@feature-flags/file/json";
import { FLAG_KEY } from "./limits.ts";
import { Changes, type FlagReport, isChange, type Reason, Refusal } from "./report.ts";
import type { Segments } from "./segments.ts";

/** A converted flag; `flag` is undefined if the flag was refused. */
interface ConvertedFlag {
  readonly report: FlagReport;
  readonly flag: FileFlag | undefined;
}

export interface Conversion {
  /** The file, without the flags that were refused. */
  readonly file: FlagsFile;
  /** What became of each flag, in the order of the source. */
  readonly report: readonly FlagReport[];
}

/** Converts one flag. Throws: Refusal for a flag that must be left out. */
export type Converter<T> = (key: string, source: T, changes: Changes) => FileFlag;

interface Target {
  /** The name of the project. */
  readonly project: string;
  readonly segments: Segments;
  /** Whether a flag that requires others may be required itself. */
  readonly allowsNesting: boolean;
}

/** Returns the key of a flag in a document, or its place, which is no valid key, if it has none. */
export function keyOf(flag: unknown, field: string, place: string): string {
  const key = isObject(flag) ? flag[field] : undefined;
  return typeof key === "string" ? key : place;
}

/** Converts flags by their keys, and makes the file with those that were not refused. */
export function convertFlags<T>(
  sources: ReadonlyMap<string, T>,
  converter: Converter<T>,
  { project, segments, allowsNesting }: Target,
): Conversion {
  const converted = new Map(
    Array.from(sources, ([key, source]) => [key, convertFlag(key, source, converter)] as const),
  );
  const flags = withRequired(converted, allowsNesting);
  const kept = [...flags].flatMap(([key, { flag }]) => (flag ? [[key, flag] as const] : []));
  const names = new Set(kept.flatMap(([, { tags = [] }]) => tags).map(String));
  const used = segments.usedBy(kept.map(([, flag]) => flag));
  return {
    file: {
      version: 1,
      project,
      ...(names.size > 0 && { tags: Object.fromEntries(Array.from(names, (name) => [name, {}])) }),
      ...(Object.keys(used).length > 0 && { segments: used }),
      flags: Object.fromEntries(kept),
    },
    report: Array.from(flags.values(), ({ report }) => report),
  };
}

function convertFlag<T>(key: string, source: T, converter: Converter<T>): ConvertedFlag {
  const changes = new Changes();
  try {
    if (!FLAG_KEY.test(key)) throw new Refusal("flagKey");
    const flag = converter(key, source, changes);
    const { reasons } = changes;
    return { report: { key, result: reasons.some(isChange) ? "changed" : "exact", reasons }, flag };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, details } = error;
    return refused(key, { environment: changes.environment, code, details });
  }
}

const refused = (key: string, reason: Reason): ConvertedFlag => ({
  report: { key, result: "refused", reasons: [reason] },
  flag: undefined,
});

/**
 * Returns the flags after a look at the flags that they require: a flag is refused if one of them is
 * missing, and changed if one of them is.
 */
function withRequired(
  converted: ReadonlyMap<string, ConvertedFlag>,
  allowsNesting: boolean,
): ReadonlyMap<string, ConvertedFlag> {
  const checked = new Map(converted);
  for (let before = ""; before !== statesOf(checked);) {
    before = statesOf(checked);
    for (const [key, one] of checked)
      checked.set(key, afterRequired(key, one, { all: checked, allowsNesting }));
  }
  return checked;
}

const statesOf = (flags: ReadonlyMap<string, ConvertedFlag>): string =>
  Array.from(flags.values(), ({ report }) => report.result).join(" ");

function afterRequired(
  key: string,
  one: ConvertedFlag,
  context: { readonly all: ReadonlyMap<string, ConvertedFlag>; readonly allowsNesting: boolean },
): ConvertedFlag {
  const reasons = [...one.report.reasons];
  for (const { flagKey: flag, variants } of one.flag?.prerequisites ?? []) {
    const required = context.all.get(flag);
    if (!required?.flag) return refused(key, { code: "missingRequirement", details: { flag } });
    const keys = keysOf(required.flag);
    const variant = variants?.find((name) => !keys.includes(name));
    if (variant !== undefined)
      return refused(key, { code: "missingVariant", details: { flag, variant } });
    const isNested = (required.flag.prerequisites?.length ?? 0) > 0;
    const code =
      isNested && !context.allowsNesting
        ? "nestedRequirement"
        : required.report.result === "changed" && "changedRequirement";
    if (code !== false && !reasons.some((known) => isAbout(known, code, flag)))
      reasons.push({ code, details: { flag } });
  }
  const { result } = one.report;
  return {
    ...one,
    report: {
      key,
      result: reasons.some(isChange) && result === "exact" ? "changed" : result,
      reasons,
    },
  };
}

const isAbout = ({ code, details }: Reason, other: Reason["code"], flag: string): boolean =>
  code === other && details["flag"] === flag;

const keysOf = ({ variants }: FileFlag): readonly string[] =>
  variants?.map(({ key }) => key) ?? ["on", "off"];
