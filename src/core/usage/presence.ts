import { DAY_MS } from "../lib/time.ts";
import { type InstanceMark, MAX_INSTANCES } from "./message-types.ts";

/** How long an SDK instance is kept after it was last seen, milliseconds. */
export const KEEP_INSTANCES_MS = 7 * DAY_MS;

/**
 * The most SDK instances of all environments of a usage object. An instance takes about 500 bytes of
 * the object's 128 MB.
 */
export const MAX_OBJECT_INSTANCES = 100_000;

/** All last-seen marks of one SDK instance, merged. Times are epoch milliseconds. */
export interface SeenInstance extends Omit<InstanceMark, "at"> {
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** The time of the first mark with the revision in `revision`; null when `revision` is null. */
  readonly revisionSeenAt: number | null;
}

/** The filter of `Presence.list`. */
export interface InstanceFilter {
  readonly environmentIds: readonly number[];
  readonly appName?: string | undefined;
  /** Only instances that fetched rules since a time with an SDK that lacks a feature. */
  readonly lacking?: LackedFeature | undefined;
  /** Only instances that were seen since a time with an SDK that has a feature. */
  readonly having?: HadFeature | undefined;
}

interface HadFeature {
  readonly feature: string;
  /** Only instances that were seen at or after this time count. Epoch milliseconds. */
  readonly seenSince: number;
}

interface LackedFeature {
  readonly feature: string;
  /** Only instances that fetched rules at or after this time count. Epoch milliseconds. */
  readonly fetchedSince: number;
}

/** The SDK instances of some environments. */
export class Presence {
  readonly #environments = new Map<number, Map<string, SeenInstance>>();

  constructor(known: Iterable<SeenInstance> = []) {
    for (const instance of known) this.add(instance);
  }

  /**
   * Adds what was stored of an SDK instance. An environment keeps its `MAX_INSTANCES` most recently
   * seen instances.
   */
  add(instance: SeenInstance): void {
    const { environmentId } = instance;
    const instances = this.#of(environmentId);
    const name = nameOf(instance);
    const before = instances.get(name);
    instances.set(name, before ? merged(before, instance) : instance);
    if (before) return;
    // Removes the excess only at 110 % of the limit, because removing it sorts all instances.
    if (instances.size > MAX_INSTANCES * 1.1) this.#forgetExcess(environmentId);
    if (this.#size() > MAX_OBJECT_INSTANCES * 1.1) this.#forgetLeastRecent();
  }

  /** Adds a last-seen mark. Marks may arrive in any order, and more than once. */
  mark({ at, ...mark }: InstanceMark): void {
    const revisionSeenAt = mark.revision === null ? null : at;
    this.add({ ...mark, firstSeenAt: at, lastSeenAt: at, revisionSeenAt });
  }

  /** Forgets the SDK instances that were not seen in the last 7 days. */
  forgetOld(now: number): void {
    for (const [environmentId, instances] of this.#environments) {
      for (const [name, { lastSeenAt }] of instances)
        if (lastSeenAt < now - KEEP_INSTANCES_MS) instances.delete(name);
      if (instances.size === 0) this.#environments.delete(environmentId);
    }
  }

  all(): SeenInstance[] {
    return Array.from(this.#environments.values(), (instances) => [...instances.values()]).flat();
  }

  /** Returns the SDK instances that match the filter, most recently seen first. */
  list(
    { environmentIds, appName, lacking, having }: InstanceFilter,
    { limit, now }: { readonly limit: number; readonly now: number },
  ): SeenInstance[] {
    const oldest = now - KEEP_INSTANCES_MS;
    const matches = (instance: SeenInstance) =>
      instance.lastSeenAt >= oldest &&
      (appName === undefined || instance.appName === appName) &&
      (lacking === undefined || lacks(instance, lacking)) &&
      (having === undefined || hasFeature(instance, having));
    return environmentIds
      .flatMap((id) => this.newest(id).filter(matches))
      .toSorted(mostRecentFirst)
      .slice(0, limit);
  }

  /** Returns the `MAX_INSTANCES` most recently seen SDK instances of an environment. */
  newest(environmentId: number): SeenInstance[] {
    const instances = this.#environments.get(environmentId);
    if (!instances) return [];
    if (instances.size > MAX_INSTANCES) this.#forgetExcess(environmentId);
    return [...instances.values()];
  }

  #forgetExcess(environmentId: number): void {
    const instances = this.#of(environmentId);
    const byAge = [...instances].toSorted(([, one], [, other]) => mostRecentFirst(one, other));
    for (const [name] of byAge.slice(MAX_INSTANCES)) instances.delete(name);
  }

  #size(): number {
    let size = 0;
    for (const instances of this.#environments.values()) size += instances.size;
    return size;
  }

  /** Keeps the `MAX_OBJECT_INSTANCES` most recently seen SDK instances of all environments. */
  #forgetLeastRecent(): void {
    const byAge = this.all().toSorted(mostRecentFirst);
    for (const instance of byAge.slice(MAX_OBJECT_INSTANCES))
      this.#of(instance.environmentId).delete(nameOf(instance));
  }

  #of(environmentId: number) {
    let instances = this.#environments.get(environmentId);
    if (!instances) {
      instances = new Map();
      this.#environments.set(environmentId, instances);
    }
    return instances;
  }
}

/**
 * Returns a text that identifies an SDK instance of an environment. The length of `appName` keeps
 * the text unambiguous, because both names may contain any character.
 */
export const nameOf = ({ appName, instanceId }: Pick<InstanceMark, "appName" | "instanceId">) =>
  `${appName.length} ${appName}${instanceId}`;

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

const byName = (one: SeenInstance, other: SeenInstance): number =>
  one.environmentId - other.environmentId ||
  byText(one.instanceId, other.instanceId) ||
  byText(one.appName, other.appName);

export const mostRecentFirst = (one: SeenInstance, other: SeenInstance): number =>
  other.lastSeenAt - one.lastSeenAt || byName(one, other);

export const leastRecentFirst = (one: SeenInstance, other: SeenInstance): number =>
  one.lastSeenAt - other.lastSeenAt || byName(one, other);

const hasFeature = (
  { lastSeenAt, sdkFeatures }: SeenInstance,
  { feature, seenSince }: HadFeature,
): boolean => lastSeenAt >= seenSince && sdkFeatures?.includes(feature) === true;

const lacks = (
  { rulesFetchedAt, sdkFeatures }: SeenInstance,
  { feature, fetchedSince }: LackedFeature,
): boolean => (rulesFetchedAt ?? 0) >= fetchedSince && sdkFeatures?.includes(feature) !== true;

/**
 * Merges two records of an SDK instance. The order matters only when both were last seen at the same
 * time: then `other` counts as newer.
 */
function merged(one: SeenInstance, other: SeenInstance): SeenInstance {
  const [newer, older] = one.lastSeenAt > other.lastSeenAt ? [one, other] : [other, one];
  const [a, b] = [one.revision ?? -1, other.revision ?? -1];
  const seenAt = (instance: SeenInstance) => instance.revisionSeenAt ?? Infinity;
  const isOne = a === b ? seenAt(one) <= seenAt(other) : a > b;
  const { revision, revisionSeenAt } = isOne ? one : other;
  const fetchedAt = Math.max(one.rulesFetchedAt ?? 0, other.rulesFetchedAt ?? 0);
  return {
    ...newer,
    sdkVersion: newer.sdkVersion ?? older.sdkVersion,
    sdkFeatures: newer.sdkFeatures ?? older.sdkFeatures,
    rulesFetchedAt: fetchedAt === 0 ? undefined : fetchedAt,
    firstSeenAt: Math.min(one.firstSeenAt, other.firstSeenAt),
    revision,
    revisionSeenAt,
  };
}
