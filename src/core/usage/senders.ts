import { DAY_MS } from "../lib/time.ts";

/**
 * How long the batches of an isolate are remembered after its last batch, milliseconds. The usage
 * queue retries a batch for about 14 hours.
 */
export const REMEMBER_SENDER_MS = 2 * DAY_MS;

/**
 * The most missing batches of an isolate that are remembered, so that the memory is bounded. Older
 * missing batches count as arrived, because a batch must not be counted twice.
 */
export const MAX_MISSING = 1_000;

/** The numbers of the batches that have arrived from one isolate. */
export interface Sender {
  /** All batches up to this number have arrived, except for `missing`. */
  readonly upTo: number;
  readonly missing: readonly number[];
  /** When the last batch arrived, epoch milliseconds. */
  readonly at: number;
}

const NONE: Sender = { upTo: 0, missing: [], at: 0 };

/**
 * Recognises batches that arrive twice. An isolate numbers its batches, so a range of numbers is
 * enough to remember them all. Batches may arrive in any order.
 */
export class Senders {
  readonly #senders = new Map<string, Sender>();

  /** Adds isolates as `entries` returns them. */
  addAll(known: readonly (readonly [string, Sender])[]): void {
    for (const [name, sender] of known) this.#senders.set(name, sender);
  }

  /** Returns whether the batch is new, and remembers it. `at`: epoch milliseconds. */
  admit(sender: string, sequence: number, at: number): boolean {
    const { upTo, missing, at: before } = this.#senders.get(sender) ?? NONE;
    const isNext = sequence > upTo;
    if (!isNext && !missing.includes(sequence)) return false;
    this.#senders.set(sender, {
      upTo: Math.max(upTo, sequence),
      missing: isNext
        ? [...missing, ...range(Math.max(upTo + 1, sequence - MAX_MISSING), sequence)].slice(
            -MAX_MISSING,
          )
        : missing.filter((number) => number !== sequence),
      at: Math.max(before, at),
    });
    return true;
  }

  /** Forgets the isolates whose last batch arrived more than `REMEMBER_SENDER_MS` ago. */
  forgetOld(now: number): void {
    for (const [name, { at }] of this.#senders)
      if (at < now - REMEMBER_SENDER_MS) this.#senders.delete(name);
  }

  entries(): [string, Sender][] {
    return [...this.#senders];
  }
}

/** Returns the whole numbers from `start` up to `end`, without `end`. */
const range = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, n) => start + n);
