import { POSITIONS } from "./position.ts";

/**
 * A slot of a weighted split: the positions from `start` up to, but not including, `end` get the
 * variant. Positions are whole numbers from 0 to 99,999.
 */
export type Slot = readonly [start: number, end: number, variant: string];

/**
 * A slot as a strategy stores it: the positions between two borders. The variant received the
 * positions next to `oldest` first, and the positions next to `newest` last. So `oldest` can be the
 * higher border. The stored slots of one variant are in the order in which the variant received
 * them.
 *
 * This order is the only history that a split has. It is enough: a variant that shrinks gives back
 * the positions that it received last.
 */
export type StoredSlot = readonly [oldest: number, newest: number, variant: string];

/**
 * The weights of a split in the order of the variants: the percentage of each variant, with at most
 * three decimals. They add up to 100.
 */
export type Weights = readonly (readonly [variant: string, percent: number])[];

/** A stored slot without its variant: the two borders. */
type Piece = readonly [oldest: number, newest: number];

/** The pieces of each variant, oldest first. */
type Pieces = Map<string, Piece[]>;

const POSITIONS_PER_PERCENT = POSITIONS / 100;

/** The most slots of a split, and the most slots per variant of a split with many variants. */
const MAX_SLOTS = 64;
const MAX_SLOTS_PER_VARIANT = 4;

/** Returns the most slots of a split with so many variants. */
export const maxSlots = (variants: number): number =>
  Math.max(MAX_SLOTS, variants * MAX_SLOTS_PER_VARIANT);

const sizeOf = ([from, to]: readonly [number, number, ...unknown[]]): number => Math.abs(to - from);

const isNumberOfPositions = (size: number): boolean => size >= 0 && size <= POSITIONS;

/** Returns the number of positions of each variant. Throws a RangeError for unfit weights. */
function sizesOf(weights: Weights): Map<string, number> {
  const sizes = new Map(
    weights.map(([variant, percent]) => [variant, Math.round(percent * POSITIONS_PER_PERCENT)]),
  );
  const sum = [...sizes.values()].reduce((all, size) => all + size, 0);
  if (sum !== POSITIONS || sizes.size !== weights.length)
    throw new RangeError("the weights must belong to different variants and add up to 100");
  if (![...sizes.values()].every(isNumberOfPositions))
    throw new RangeError("a weight must be between 0 and 100");
  return sizes;
}

/**
 * Adds a piece as the newest piece, or extends the newest piece if the added piece continues it.
 */
function push(pieces: Piece[], [oldest, newest]: Piece): void {
  const last = pieces.at(-1);
  const continues = last?.[1] === oldest && last[0] < last[1] === oldest < newest;
  if (continues) pieces[pieces.length - 1] = [last[0], newest];
  else pieces.push([oldest, newest]);
}

/**
 * Moves the newest `size` positions from one variant to another, one after the other: the newest
 * position moves first. So the opposite move restores both variants exactly.
 */
function move(from: Piece[], to: Piece[], size: number): void {
  let missing = size;
  while (missing > 0) {
    const [oldest, newest] = from.pop() ?? [0, 0];
    const length = Math.abs(newest - oldest);
    if (length === 0) return;
    const moved = Math.min(missing, length);
    const border = newest > oldest ? newest - moved : newest + moved;
    if (moved < length) from.push([oldest, border]);
    push(to, [newest, border]);
    missing -= moved;
  }
}

function piecesOf(stored: readonly StoredSlot[]): Pieces {
  const pieces: Pieces = new Map();
  for (const [oldest, newest, variant] of stored) {
    const own = pieces.get(variant) ?? [];
    own.push([oldest, newest]);
    pieces.set(variant, own);
  }
  return pieces;
}

/**
 * Returns the stored slots of the pieces, in the order of each variant's oldest position. So equal
 * pieces give equal JSON.
 */
function storedSlots(pieces: Pieces): StoredSlot[] {
  const oldest = (own: readonly Piece[]): number => Math.min(...(own[0] ?? []));
  return [...pieces]
    .filter(([, own]) => own.length > 0)
    .toSorted(([, one], [, other]) => oldest(one) - oldest(other))
    .flatMap(([variant, own]) => own.map(([from, to]): StoredSlot => [from, to, variant]));
}

/**
 * Returns the slots of a new split: one slot per variant, in the order of the variants. Throws a
 * RangeError when the weights do not add up to 100.
 *
 * Every second variant gives its lowest positions back first. So in a split of two variants, only
 * the border between them moves.
 */
export function slotsOf(weights: Weights): StoredSlot[] {
  let end = 0;
  return [...sizesOf(weights)].flatMap(([variant, size], index): StoredSlot[] => {
    const start = end;
    end += size;
    if (size === 0) return [];
    return [index % 2 === 0 ? [start, end, variant] : [end, start, variant]];
  });
}

/** Returns the slots as SDKs receive them: sorted, without history, with as few as possible. */
export function toSlots(stored: readonly StoredSlot[]): Slot[] {
  return joined(
    stored.map(([from, to, variant]): Slot => [Math.min(from, to), Math.max(from, to), variant]),
  );
}

/** Sorts slots, and joins neighbours of the same variant. */
function joined(slots: readonly Slot[]): Slot[] {
  const result: Slot[] = [];
  for (const slot of slots.toSorted(([one], [other]) => one - other)) {
    const last = result.at(-1);
    if (last?.[2] === slot[2] && last[1] === slot[0])
      result[result.length - 1] = [last[0], slot[1], last[2]];
    else result.push(slot);
  }
  return result;
}

/** Returns the weights of a split. A variant without positions is left out. */
export function weightsOf(slots: readonly StoredSlot[]): [variant: string, percent: number][] {
  return [...positionsOf(slots)].map(([variant, size]) => [variant, size / POSITIONS_PER_PERCENT]);
}

function positionsOf(slots: readonly StoredSlot[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const slot of slots) sizes.set(slot[2], (sizes.get(slot[2]) ?? 0) + sizeOf(slot));
  return sizes;
}

const compareText = (one: string, other: string): number =>
  one < other ? -1 : Number(one > other);

/** Calls `transfer` with each number of positions that one variant gives to another. */
function balance(
  surplus: ReadonlyMap<string, number>,
  transfer: (from: string, to: string, size: number) => void,
): void {
  const variants = [...surplus.keys()].toSorted(compareText);
  const missing = new Map([...surplus].map(([variant, size]) => [variant, Math.max(0, -size)]));
  for (const from of variants) {
    let left = surplus.get(from) ?? 0;
    // Visits the giving variants in ascending order and the receiving variants in descending order.
    // So the opposite change makes the same transfers in the opposite order, and takes back exactly
    // what each transfer gave.
    for (const to of variants.toReversed()) {
      const size = Math.min(left, missing.get(to) ?? 0);
      if (size <= 0) continue;
      transfer(from, to, size);
      left -= size;
      missing.set(to, (missing.get(to) ?? 0) - size);
    }
  }
}

/** Returns how many positions each variant has too many; negative when it has too few. */
function surplusOf(
  held: ReadonlyMap<string, number>,
  sizes: ReadonlyMap<string, number>,
): Map<string, number> {
  const variants = [...new Set([...held.keys(), ...sizes.keys()])];
  return new Map(
    variants.map((variant) => [variant, (held.get(variant) ?? 0) - (sizes.get(variant) ?? 0)]),
  );
}

/**
 * Changes the weights of a split, and moves as few users as possible: a variant that shrinks gives
 * back what it received last. Returning to the weights before the change restores every user's
 * variant. Returning step by step restores every earlier split. Throws a RangeError when the
 * weights do not add up to 100.
 *
 * A split has at most 64 slots (4 per variant if it has more than 16 variants). When a change needs
 * more, the split is compacted. That moves a few more users, and the splits before this change can
 * no longer be restored exactly.
 */
export function reweight(stored: readonly StoredSlot[], weights: Weights): StoredSlot[] {
  const sizes = sizesOf(weights);
  const pieces = piecesOf(stored);
  for (const variant of sizes.keys()) pieces.set(variant, pieces.get(variant) ?? []);
  balance(surplusOf(positionsOf(stored), sizes), (from, to, size) => {
    move(pieces.get(from) ?? [], pieces.get(to) ?? [], size);
  });
  const result = storedSlots(pieces);
  const limit = maxSlots(sizes.size);
  return result.length > limit ? storedSlots(piecesOf(compacted(result, sizes, limit))) : result;
}

/**
 * Returns at most `limit` slots with the given sizes. First forgets the history, which moves no
 * user. If too many slots remain, the smallest slots join their neighbours, and variants that
 * became too large by this give positions to variants that became too small.
 */
function compacted(
  stored: readonly StoredSlot[],
  sizes: ReadonlyMap<string, number>,
  limit: number,
): Slot[] {
  let slots = toSlots(stored);
  if (slots.length <= limit) return slots;
  // Leaves room for the transfers that follow. Each of them can add one slot, and there are fewer
  // transfers than variants.
  while (slots.length > limit - sizes.size) slots = withoutSmallest(slots);
  balance(surplusOf(positionsOf(slots), sizes), (from, to, size) => {
    slots = transferred(slots, from, to, size);
  });
  return slots;
}

/** Gives the smallest slot to its larger neighbour. */
function withoutSmallest(slots: readonly Slot[]): Slot[] {
  const smallest = indexOfBest(slots, (slot) => -sizeOf(slot));
  const neighbours = [slots[smallest - 1], slots[smallest + 1]].filter(
    (slot) => slot !== undefined,
  );
  const heir = neighbours[indexOfBest(neighbours, sizeOf)]?.[2];
  return joined(
    slots.map((slot, index) =>
      index === smallest && heir !== undefined ? [slot[0], slot[1], heir] : slot,
    ),
  );
}

/**
 * Moves `size` positions from one variant to another: at a border between the two if there is one,
 * otherwise from the largest slot of the giving variant.
 */
function transferred(slots: readonly Slot[], from: string, to: string, size: number): Slot[] {
  if (size === 0) return [...slots];
  const isBeside = (index: number): boolean =>
    slots[index - 1]?.[2] === to || slots[index + 1]?.[2] === to;
  const beside = slots.findIndex(
    (slot, index) => slot[2] === from && sizeOf(slot) > size && isBeside(index),
  );
  const giver =
    beside === -1 ? indexOfBest(slots, (slot) => (slot[2] === from ? sizeOf(slot) : -1)) : beside;
  const slot = slots[giver];
  if (slot === undefined) return [...slots];
  const [start, end] = slot;
  const moved = Math.min(size, end - start);
  const parts: Slot[] =
    slots[giver - 1]?.[2] === to
      ? [
          [start, start + moved, to],
          [start + moved, end, from],
        ]
      : [
          [start, end - moved, from],
          [end - moved, end, to],
        ];
  const rest = parts.filter((part) => sizeOf(part) > 0);
  return transferred(joined(slots.toSpliced(giver, 1, ...rest)), from, to, size - moved);
}

/**
 * Returns the index of the item with the highest score; the first index if several items have that
 * score.
 */
function indexOfBest<T>(items: readonly T[], score: (item: T) => number): number {
  let best = 0;
  for (const [index, item] of items.entries()) {
    const leader = items[best];
    if (leader !== undefined && score(item) > score(leader)) best = index;
  }
  return best;
}

/**
 * Returns the share of users, 0 to 1, that get another variant after the slots have changed. Both
 * must cover all positions.
 */
export function movedPositions(
  before: readonly StoredSlot[],
  after: readonly StoredSlot[],
): number {
  const ends = toSlots(after);
  let moved = 0;
  let index = 0;
  for (const [start, end, variant] of toSlots(before))
    for (let at = start; at < end;) {
      const [, next, other] = ends[index] ?? [0, end, undefined];
      const until = Math.min(end, next);
      if (other !== variant) moved += until - at;
      if (next <= end) index++;
      at = until;
    }
  return moved / POSITIONS;
}

/** Whether a value is a list of slots that cover every position exactly once. */
export function areSlots(value: unknown): value is readonly Slot[] {
  if (!Array.isArray(value) || !Array.from(value as unknown[]).every(isSlot)) return false;
  let end = 0;
  for (const slot of (value as Slot[]).toSorted(([one], [other]) => one - other)) {
    if (slot[0] !== end) return false;
    end = slot[1];
  }
  return end === POSITIONS;
}

const isSlot = (value: unknown): value is Slot =>
  Array.isArray(value) &&
  value.length === 3 &&
  Number.isInteger(value[0]) &&
  Number.isInteger(value[1]) &&
  value[0] < value[1] &&
  typeof value[2] === "string";
