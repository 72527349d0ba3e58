import { parseBlock } from "@feature-flags/evaluation/ip";
import type { FileConstraint } from "@feature-flags/file/file";
import { MAX_HASH_KEY } from "../limits.ts";
import { type Changes, Refusal } from "../report.ts";
import { noted, noteAddedField } from "./constraints.ts";
import type { UnleashStrategy } from "./document.ts";

/** Whom a strategy of Unleash includes, besides its constraints and segments. */
export interface RollOut {
  /** 1 to 100, a whole number. */
  readonly percentage: number;
  /** The context field whose value is hashed; undefined: the first usual one. */
  readonly stickiness?: string;
  /** Undefined: the key of the flag. */
  readonly hashKey?: string;
  readonly constraints: readonly FileConstraint[];
}

/** An empty text is no id in Unleash. `(?s).` is any character. */
const NOT_EMPTY = { operator: "matches", values: ["(?s)."] };

const EVERYBODY: RollOut = { percentage: 100, constraints: [] };

/**
 * Returns whom a strategy includes; undefined if it includes nobody. Throws: Refusal for a strategy that
 * does not exist here.
 */
export function rollOutOf(
  { name, parameters = {} }: UnleashStrategy,
  flagKey: string,
  changes: Changes,
): RollOut | undefined {
  const text = (parameter: string): string => String(parameters[parameter] || "");
  const listOf = (parameter: string): string[] => {
    if (typeof parameters[parameter] !== "number") return items(text(parameter));
    throw new Refusal("unreadable", { place: `parameters/${parameter}` });
  };
  const groupId = text("groupId");
  const hashed = (stickiness: string, percent: string) =>
    hashedRollOut(
      { stickiness, percentage: Math.floor(Number(percent)), groupId, flagKey },
      changes,
    );
  switch (name) {
    case "default":
      return EVERYBODY;
    case "userWithId":
      return listed({ field: "userId", values: listOf("userIds") }, changes);
    case "remoteAddress":
      return listed(
        { field: "remoteAddress", contextType: "ip", values: addresses(listOf("IPs"), changes) },
        changes,
      );
    case "gradualRolloutUserId":
      return hashed("userId", text("percentage"));
    case "gradualRolloutSessionId":
      return hashed("sessionId", text("percentage"));
    case "gradualRolloutRandom":
      return hashed("random", text("percentage"));
    case "flexibleRollout":
      return hashed(text("stickiness") || "default", text("rollout"));
    default:
      throw new Refusal("unknownStrategy", { strategy: name });
  }
}

const items = (list: string): string[] => list.split(/\s*,\s*/).filter((item) => item !== "");

function listed(
  constraint: Omit<FileConstraint, "operator">,
  changes: Changes,
): RollOut | undefined {
  if (constraint.values?.length === 0) return undefined;
  return { percentage: 100, constraints: [noted({ operator: "in", ...constraint }, changes)] };
}

function addresses(list: readonly string[], changes: Changes): string[] {
  const valid = list.filter((address) => parseBlock(address) !== undefined);
  if (valid.some((address) => /:.*\//.test(address))) changes.add("ipv6Blocks");
  return valid;
}

interface Hashed {
  readonly stickiness: string;
  readonly percentage: number;
  readonly groupId: string;
  readonly flagKey: string;
}

function hashedRollOut(
  { stickiness, percentage, groupId, flagKey }: Hashed,
  changes: Changes,
): RollOut | undefined {
  if (!(percentage > 0)) return undefined;
  const isNamed = stickiness !== "default" && stickiness !== "random";
  if (isNamed) noteAddedField(stickiness, changes);
  if (percentage >= 100)
    return isNamed
      ? { percentage: 100, constraints: [{ ...NOT_EMPTY, field: stickiness }] }
      : EVERYBODY;
  if (stickiness === "random") throw new Refusal("randomRollOut");
  const hashKey = hashKeyOf(groupId, flagKey, changes);
  return {
    percentage,
    ...(isNamed && { stickiness }),
    ...(hashKey !== undefined && { hashKey }),
    constraints: [],
  };
}

/** Returns the key of a hash with a group id; undefined if it is the key of the flag. */
export function hashKeyOf(groupId: string, flagKey: string, changes: Changes): string | undefined {
  if (groupId === "") throw new Refusal("noGroupId");
  if (groupId.length > MAX_HASH_KEY)
    throw new Refusal("longGroupId", { count: groupId.length, limit: MAX_HASH_KEY });
  if (/\P{ASCII}/u.test(groupId)) changes.add("groupIdNotAscii");
  return groupId === flagKey ? undefined : groupId;
}
