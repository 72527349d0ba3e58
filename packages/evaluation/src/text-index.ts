/**
 * The longest text with an index, in characters. A context value that the service accepts has at most
 * 4,096 (docs/use/api.md, Limits), and at most twice as many in lower case, because of `İ`.
 */
export const MAX_INDEXED_LENGTH = 8192;

/** How many values a code unit of a text can have. */
const CODE_UNITS = 65_536;

/** An index of a text. */
export interface TextIndex {
  /** Whether the text contains the part. Takes at most one step for each character of the part. */
  readonly includes: (part: string) => boolean;
  /** The number of transitions. */
  readonly size: number;
}

/**
 * A random odd number, so that nobody can choose texts whose transitions have the same hash. It is
 * drawn at the first use.
 */
let multiplier = 0;

/** The transitions of an automaton: a hash table with the key (state, code unit). */
class Transitions {
  /** The key and the target of each transition. Transition 0 does not exist. */
  readonly #keys: Int32Array;
  readonly #targets: Uint16Array;
  readonly #table: Uint16Array;
  readonly #shift: number;
  size = 0;

  constructor(most: number) {
    multiplier ||= Math.floor(Math.random() * 2 ** 31) * 2 + 1;
    // Leaves at least a third of the table free, so that searches for a free place are short.
    const bits = Math.ceil(Math.log2(most * 1.5));
    this.#keys = new Int32Array(most + 1);
    this.#targets = new Uint16Array(most + 1);
    this.#table = new Uint16Array(2 ** bits);
    this.#shift = 32 - bits;
  }

  /** Returns the place in the table of the transition, or the free place for it. */
  #placeOf(key: number): number {
    let place = Math.imul(key, multiplier) >>> this.#shift;
    for (;;) {
      const transition = this.#table[place] ?? 0;
      if (transition === 0 || this.#keys[transition] === key) return place;
      place = place + 1 === this.#table.length ? 0 : place + 1;
    }
  }

  /** Returns the target of a transition; undefined if the state has none for the code unit. */
  target(state: number, unit: number): number | undefined {
    const transition = this.#table[this.#placeOf(state * CODE_UNITS + unit)] ?? 0;
    return transition === 0 ? undefined : this.#targets[transition];
  }

  set(state: number, unit: number, target: number): void {
    const key = state * CODE_UNITS + unit;
    const place = this.#placeOf(key);
    const transition = this.#table[place] || ++this.size;
    this.#table[place] = transition;
    this.#keys[transition] = key;
    this.#targets[transition] = target;
  }
}

/**
 * Makes a suffix automaton (Blumer et al., 1985). Its paths from state 0 are the parts of the text.
 * For a text of n characters, it has at most 2n states and 3n transitions, and making it takes
 * linear time.
 *
 * @param text at most `MAX_INDEXED_LENGTH` characters
 */
export function textIndex(text: string): TextIndex {
  if (text.length > MAX_INDEXED_LENGTH) throw new RangeError("The text is too long for an index");
  const transitions = new Transitions(3 * text.length + 1);
  // For each state: the longest part that leads to it, the state to which the longest other suffix
  // of this part leads (-1: none), and the code units of its transitions.
  const lengths = [0];
  const links = [-1];
  const units: number[][] = [[]];
  const addState = (length: number, link: number): number => {
    links.push(link);
    units.push([]);
    return lengths.push(length) - 1;
  };
  const addTransition = (state: number, unit: number, target: number): void => {
    units[state]?.push(unit);
    transitions.set(state, unit, target);
  };
  /** Moves the state's parts of at most `length` characters to a new state. */
  const divide = (state: number, length: number): number => {
    const copy = addState(length, links[state] ?? -1);
    for (const unit of units[state] ?? [])
      addTransition(copy, unit, transitions.target(state, unit) ?? 0);
    links[state] = copy;
    return copy;
  };
  let last = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const added = addState(at + 1, 0);
    let from = last;
    let target: number | undefined;
    for (; from !== -1; from = links[from] ?? -1) {
      target = transitions.target(from, unit);
      if (target !== undefined) break;
      addTransition(from, unit, added);
    }
    if (target !== undefined) {
      const length = (lengths[from] ?? 0) + 1;
      const isWhole = lengths[target] === length;
      const suffix = isWhole ? target : divide(target, length);
      links[added] = suffix;
      if (!isWhole)
        for (; from !== -1 && transitions.target(from, unit) === target; from = links[from] ?? -1)
          transitions.set(from, unit, suffix);
    }
    last = added;
  }
  const includes = (part: string): boolean => {
    let state = 0;
    for (let at = 0; at < part.length; at++) {
      const target = transitions.target(state, part.charCodeAt(at));
      if (target === undefined) return false;
      state = target;
    }
    return true;
  };
  return { includes, size: transitions.size };
}
