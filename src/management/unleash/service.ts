import { unleashNotes } from "@feature-flags/unleash/body";
import type { Level, Note } from "@feature-flags/unleash";
import { notFound } from "../../core/errors/api-error.ts";
import { DAY_MS } from "../../core/lib/time.ts";
import type { SeenInstance } from "../../core/usage/presence.ts";
import { UNLEASH } from "../../core/usage/unleash-features.ts";
import { type Call, reads, type RequestCall } from "../../access/call.ts";
import { findEnvironment } from "../../model/environments/queries.ts";
import type { ById } from "../../core/lib/input.ts";
import { inScope } from "../../access/scope.ts";
import { mayChooseOtherVariants } from "./variant-seed.ts";

/** The most instances that are counted by SDK: an environment keeps no more. */
const MAX_INSTANCES = 10_000;

/** How long after it was last seen an instance counts as one that uses Unleash, milliseconds: a day. */
const SEEN_WITHIN_MS = DAY_MS;

/** The most instances with other variants in a response, the most recently seen first. */
const MAX_OTHERS = 100;

/** What the SDKs of Unleash do not do exactly with one flag. */
export interface InexactFlag {
  readonly key: string;
  /** The gravest level of the notes. */
  readonly level: Level;
  readonly notes: readonly Note[];
}

/** The instances of one version of an Unleash SDK. */
export interface SeenSdk {
  readonly sdkVersion: string | null;
  readonly instances: number;
  /** When the last of them was seen, epoch milliseconds. */
  readonly lastSeenAt: number;
}

export interface UnleashUse {
  readonly environmentId: number;
  readonly flags: readonly InexactFlag[];
  readonly sdks: readonly SeenSdk[];
  /** The instances that may choose other variants, the most recently seen first. */
  readonly others: readonly SeenInstance[];
}

/**
 * Returns the flags of an environment that SDKs of Unleash do not evaluate exactly, and the Unleash
 * SDKs of the last 24 hours. Throws: 404 for an unknown environment, 403 for an API key of another
 * project, 503 when the instances cannot be read.
 */
export async function unleashUse(
  call: Call & Pick<RequestCall, "usage" | "rules">,
  { id }: ById,
): Promise<UnleashUse> {
  const ctx = reads(call, "strategy:read");
  const missing = notFound("The environment does not exist");
  const { projectId } = inScope(ctx, await findEnvironment(ctx.db, id), missing);
  const rules = await ctx.rules.read(id);
  if (!rules) throw missing;
  const having = { feature: UNLEASH, seenSince: ctx.now() - SEEN_WITHIN_MS };
  const filter = { environmentIds: [id], having };
  const seen = await ctx.usage.instances(projectId, filter, MAX_INSTANCES);
  return {
    environmentId: id,
    flags: flagsOf(unleashNotes(rules)),
    sdks: sdksOf(seen),
    others: seen.filter(mayChooseOtherVariants).slice(0, MAX_OTHERS),
  };
}

const GRAVEST_FIRST: readonly Level[] = ["unserved", "partial", "approximate"];

/** Groups notes by flag, in the order of the notes. */
const flagsOf = (notes: readonly Note[]): InexactFlag[] =>
  Array.from(
    Map.groupBy(notes, ({ flagKey }) => flagKey),
    ([key, ofFlag]) => {
      const levels = new Set(ofFlag.map(({ level }) => level));
      const level = GRAVEST_FIRST.find((one) => levels.has(one)) ?? "approximate";
      return { key, level, notes: ofFlag };
    },
  );

/** Counts instances by their SDK, the most frequent SDK first. */
const sdksOf = (instances: readonly SeenInstance[]): SeenSdk[] =>
  Array.from(
    Map.groupBy(instances, ({ sdkVersion }) => sdkVersion),
    ([sdkVersion, group]) => ({
      sdkVersion,
      instances: group.length,
      lastSeenAt: group.reduce((latest, one) => Math.max(latest, one.lastSeenAt), 0),
    }),
  ).toSorted((one, other) => other.instances - one.instances);
