import { POSITIONS } from "@feature-flags/evaluation/position";

/**
 * The position of one id in each dimension, 0 to 99,999. Roll-outs and splits depend only on these
 * positions. Two hashes of an id are in one dimension if they have the same kind, key and context
 * field. Positions in different dimensions are independent.
 */
export type Place = Readonly<Record<number, number>>;

/**
 * Called once per region: a set of places at which all ids have the same outcome. `place` is one
 * place of the region, and `share` is the share of all ids in the region, 0 to 1. The object
 * `place` is reused for the next region.
 */
type Visit = (place: Place, share: number) => void;

/** The greatest number of regions to compute exactly. It limits the CPU time of a comparison. */
const MAX_REGIONS = 20_000;

/** The number of places in a sample, a power of 2. The error of a share is about 0.01. */
const SAMPLES = 4096;

/** The borders at which the outcome for an id can change, by dimension. */
export class Dimensions {
  readonly #indexes = new Map<string, number>();
  readonly #borders: Set<number>[] = [];

  /** Returns the index of a dimension, and adds borders to it. */
  add(name: string, borders: readonly number[]): number {
    const index = this.#indexes.get(name) ?? this.#borders.length;
    this.#indexes.set(name, index);
    const known = (this.#borders[index] ??= new Set([0, POSITIONS]));
    for (const border of borders) known.add(border);
    return index;
  }

  /**
   * Visits all regions between the borders if there are at most `MAX_REGIONS`. Otherwise visits a
   * sample of `SAMPLES` places, which is the same for the same number of dimensions.
   */
  forEachRegion(visit: Visit): void {
    const regions = this.#borders.reduce((product, { size }) => product * (size - 1), 1);
    if (regions > MAX_REGIONS) visitSample(this.#borders.length, visit);
    else visitGrid(this.#borders.map(sorted), visit);
  }
}

const sorted = (borders: ReadonlySet<number>): readonly number[] =>
  [...borders].toSorted((one, other) => one - other);

/** Visits every combination of the intervals between borders. */
function visitGrid(dimensions: readonly (readonly number[])[], visit: Visit): void {
  const place = new Int32Array(dimensions.length);
  const visitFrom = (dimension: number, share: number): void => {
    const borders = dimensions[dimension];
    if (borders === undefined) return visit(place, share);
    let [start = 0] = borders;
    for (const end of borders.slice(1)) {
      place[dimension] = start;
      visitFrom(dimension + 1, (share * (end - start)) / POSITIONS);
      start = end;
    }
  };
  visitFrom(0, 1);
}

/**
 * Visits sample places, each of which stands for the same share of the ids. In each dimension, the
 * places divide the positions evenly (a Latin hypercube): `mixed` gives every dimension another
 * order of the same numbers.
 */
function visitSample(dimensions: number, visit: Visit): void {
  const place = new Int32Array(dimensions);
  for (let n = 0; n < SAMPLES; n++) {
    for (let dimension = 0; dimension < dimensions; dimension++)
      place[dimension] = ((mixed(n, dimension) + 0.5) * POSITIONS) / SAMPLES;
    visit(place, 1 / SAMPLES);
  }
}

/**
 * Returns the place of the number `n` in a permutation of the numbers below `SAMPLES`. Each step can
 * be reversed, so no two numbers have the same place. The constants are those of the finaliser of
 * murmur3 and of Fibonacci hashing; any odd ones would do.
 */
function mixed(n: number, dimension: number): number {
  const mask = SAMPLES - 1;
  const seed = Math.imul(dimension + 1, 0x9e3779b1);
  let mix = (n ^ (seed >>> 19)) & mask;
  mix = Math.imul(mix, seed | 1) & mask;
  mix ^= mix >>> 7;
  mix = Math.imul(mix, (Math.imul(seed, 0x85ebca6b) >>> 8) | 1) & mask;
  mix ^= mix >>> 6;
  return (mix + (seed >>> 5)) & mask;
}
