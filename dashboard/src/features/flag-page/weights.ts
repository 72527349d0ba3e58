import { weightOf } from "../../shared/strategy/values.ts";

/**
 * The shares of a weighted split, one per variant, in the order of the flag's variants. A share is
 * a whole number of thousandths of a percent, so shares add up without rounding errors. They always
 * add up to `WHOLE`.
 */
export type Shares = readonly number[];

/** 100 % in thousandths of a percent. */
export const WHOLE = 100_000;

const PER_PERCENT = WHOLE / 100;

type Weights = Readonly<Record<string, number>>;

/** Returns the shares of the variants. A variant without a weight has 0. */
export const toShares = (variants: readonly string[], weights: Weights): Shares =>
  variants.map((variant) => toShare(weightOf(weights, variant)));

/** Returns the weights in percent. A variant with 0 % is left out. */
export const toWeights = (variants: readonly string[], shares: Shares): Weights =>
  Object.fromEntries(
    variants.flatMap((variant, index) => {
      const share = shares[index] ?? 0;
      return share > 0 ? [[variant, toPercent(share)]] : [];
    }),
  );

export const toPercent = (share: number): number => share / PER_PERCENT;

export const toShare = (percent: number): number => Math.round(percent * PER_PERCENT);

/**
 * Returns equal shares. If the whole cannot be divided equally, each of the first variants gets a
 * thousandth more.
 */
export function evenShares(count: number): Shares {
  const share = Math.floor(WHOLE / count);
  const rest = WHOLE - share * count;
  return Array.from({ length: count }, (_, index) => (index < rest ? share + 1 : share));
}

/**
 * Sets the share of one variant. The variants after it make up the difference, in proportion to
 * their shares. If they cannot, because they are at 0 or because there are none, the variants
 * before it do. So if a user enters the shares from top to bottom, all of them stay as entered.
 */
export function withShare(shares: Shares, index: number, share: number): Shares {
  const [before, after] = [shares.slice(0, index), shares.slice(index + 1)];
  const own = Math.min(Math.max(share, 0), WHOLE);
  const left = WHOLE - own - sum(before);
  return after.length > 0 && left >= 0
    ? [...before, own, ...inProportion(after, left)]
    : [...inProportion(before, WHOLE - own), own, ...after.map(() => 0)];
}

/**
 * Moves the border between the variant at `index` and the next variant to `position`, which is a
 * number of thousandths of a percent from the start. The two variants exchange the difference. The
 * border pushes other borders in front of it.
 */
export function withBorder(shares: Shares, index: number, position: number): Shares {
  const to = Math.min(Math.max(position, 0), WHOLE);
  const moved = bordersOf(shares).map((border, at) =>
    at < index ? Math.min(border, to) : Math.max(border, to),
  );
  moved[index] = to;
  return [...moved, WHOLE].map((border, at) => border - (moved[at - 1] ?? 0));
}

/** Returns the borders between neighbours, in thousandths of a percent from the start. */
export function bordersOf(shares: Shares): number[] {
  let end = 0;
  return shares.slice(0, -1).map((share) => (end += share));
}

/** Distributes `total` in proportion to the shares; to the first one if all of them are 0. */
function inProportion(shares: Shares, total: number): number[] {
  const all = sum(shares);
  if (all === 0) return shares.map((_, index) => (index === 0 ? total : 0));
  let end = 0;
  let taken = 0;
  // Rounds the running total instead of each share, so that the sum is exact.
  return shares.map((share) => {
    end += share;
    const until = Math.round((end / all) * total);
    const own = until - taken;
    taken = until;
    return own;
  });
}

const sum = (shares: Shares): number => shares.reduce((all, share) => all + share, 0);
