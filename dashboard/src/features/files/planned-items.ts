import { fromFile } from "@feature-flags/file/activation";
import type {
  FileActivation,
  FileFlag,
  FileRule,
  FileStrategy,
  FlagsFile,
} from "@feature-flags/file/file";
import type { Schemas } from "../../shared/api/types.ts";
import { itemNames, type ItemNames } from "../../shared/history/item-names.ts";
import type { StrategySettings } from "../../shared/strategy/settings.ts";

type FilePlan = Schemas["FilePlan"];
type Change = FilePlan["changes"][number];
type Fields = Record<string, unknown>;

/** The maps of a file, and what their entries are. */
const KINDS = { contexts: "context", tags: "tag", segments: "segment", flags: "flag" } as const;
type MapName = keyof typeof KINDS;

export type ItemState = "created" | "changed" | "archived";

/** What a plan changes of a flag in an environment. */
export interface PlannedStrategy {
  readonly environment: string;
  /** The whole strategy of a new flag. Undefined: some fields of an existing strategy change. */
  readonly created: StrategySettings | undefined;
  readonly before: Fields;
  readonly after: Fields;
  /** The share of users who get another value, 0 to 1. Null: unknown. */
  readonly moves: number | null;
}

/** What a plan changes of a flag, a segment, a tag or a context. */
export interface PlannedItem {
  readonly kind: (typeof KINDS)[MapName];
  /** The key or the name in the file. */
  readonly key: string;
  readonly name: string;
  readonly state: ItemState;
  /** The changed fields, as audit records name them. */
  readonly before: Fields;
  readonly after: Fields;
  readonly strategies: readonly PlannedStrategy[];
  /** The keys of the flags that use a changed segment. */
  readonly usedBy: readonly string[] | undefined;
  readonly changes: readonly Change[];
}

export interface PlannedItems {
  readonly items: readonly PlannedItem[];
  /** The names of the segments, by the ids that the strategies have for them. */
  readonly names: ItemNames;
}

/** Returns what a plan changes, by resource, with strategies in the form that the dashboard shows. */
export function plannedItems(changes: readonly Change[], file: FlagsFile): PlannedItems {
  const ids = new Map<string, number>();
  const idOf = (segment: string): number => {
    const id = ids.get(segment) ?? ids.size + 1;
    ids.set(segment, id);
    return id;
  };
  const groups = Map.groupBy(changes, ({ path }) => path.split("/", 3).join("/"));
  const items = [...groups.values()].flatMap((group) => itemOf(group, file, idOf) ?? []);
  const segments = Array.from(ids, ([name, id]) => ({
    entityType: "segment" as const,
    id,
    name,
    deleted: false,
  }));
  return { items, names: itemNames(segments) };
}

type IdOf = (segment: string) => number;

function itemOf(group: readonly Change[], file: FlagsFile, idOf: IdOf): PlannedItem | undefined {
  const [map = "", key = ""] = partsOf(group[0]?.path ?? "");
  if (!Object.hasOwn(KINDS, map)) return undefined;
  const kind = KINDS[map as MapName];
  const whole = group.find(({ path }) => partsOf(path).length === 2);
  const isNew = whole !== undefined && whole.before === undefined;
  const flag =
    kind === "flag" ? (isNew ? (whole.after as FileFlag) : file.flags?.[key]) : undefined;
  const fields = { before: {} as Fields, after: {} as Fields };
  const strategies = new Map<string, { before: Fields; after: Fields; moves: number | null }>();
  for (const { path, before, after, moves } of group) {
    const [, , field = "name", environment = "", strategyField] = partsOf(path);
    if (field === "environments" && strategyField !== undefined) {
      const strategy = strategies.get(environment) ?? { before: {}, after: {}, moves };
      strategies.set(environment, strategy);
      strategy.before[strategyField] = before;
      strategy.after[strategyField] = after;
    } else if (!isNew) {
      fields.before[field] = before;
      fields.after[field] = after;
    }
  }
  const { environments = {}, ...content } = (isNew ? whole.after : {}) as FileFlag;
  const created = Object.entries(environments).map(([environment, strategy]): PlannedStrategy => ({
    environment,
    created: settingsOf(strategy, flag, idOf),
    before: {},
    after: {},
    moves: 0,
  }));
  const changed = Array.from(strategies, ([environment, one]): PlannedStrategy => ({
    environment,
    created: undefined,
    before: contentOf(one.before, flag, idOf),
    after: contentOf(one.after, flag, idOf),
    moves: one.moves,
  }));
  return {
    kind,
    key,
    name: flag?.name ?? key,
    state: isNew ? "created" : fields.after["archived"] === true ? "archived" : "changed",
    before: fields.before,
    // The header of a new flag has its name and type.
    after: isNew && kind !== "flag" ? { ...content } : fields.after,
    strategies: isNew ? created : changed,
    usedBy: group.find(({ flags }) => flags)?.flags,
    changes: group,
  };
}

/** Returns the parts of a JSON Pointer. */
const partsOf = (path: string): string[] =>
  path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Returns an activation of a file with the defaults of the fields that it leaves out. */
function activationOf(given: FileActivation, flag: FileFlag | undefined, idOf: IdOf) {
  const { percentage, constraints, segmentIds, serve, ...texts } = fromFile(given, {
    segment: idOf,
    serve: (served) => served,
  });
  return {
    exactPercentage: percentage ?? 100,
    // The service has checked the operators.
    constraints: (constraints ?? []) as StrategySettings["constraints"],
    segmentIds: segmentIds ?? [],
    serve: serve ?? { variant: flag?.variants?.[0]?.key ?? "on" },
    stickiness: texts.stickiness ?? null,
    hashKey: texts.hashKey ?? null,
    splitKey: texts.splitKey ?? null,
    splitStickiness: texts.splitStickiness ?? null,
  };
}

const ruleOf = (
  { id = "", name = null, ...rule }: FileRule,
  flag: FileFlag | undefined,
  idOf: IdOf,
) => ({
  id,
  name,
  ...activationOf(rule, flag, idOf),
});

const settingsOf = (
  { enabled = false, rules = [], ...last }: FileStrategy,
  flag: FileFlag | undefined,
  idOf: IdOf,
): StrategySettings => ({
  enabled,
  rules: rules.map((rule) => ruleOf(rule, flag, idOf)),
  ...activationOf(last, flag, idOf),
});

/** Returns some fields of a strategy with the names and forms of audit records. */
function contentOf(fields: Fields, flag: FileFlag | undefined, idOf: IdOf): Fields {
  const complete: Fields = { ...settingsOf(fields, flag, idOf) };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) => {
      const name =
        field === "segments" ? "segmentIds" : field === "percentage" ? "exactPercentage" : field;
      return value === undefined ? [] : [[name, complete[name]] as const];
    }),
  );
}
