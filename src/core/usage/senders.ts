import { DAY_MS } from "../lib/time.ts";

/**
 * How long the batches of an isolate are remembered after its last batch, milliseconds. The usage
 * queue retries a batch for about 14 hours.
 */
export const REMEMBER_SENDER_MS = DAY_MS;

/** What is known of the batches of one isolate. */
export interface Sender {
  /** All batches up to this number have arrived, except for `missing`. */
  readonly upTo: number;
  readonly missing: readonly number[];
  /** When the last batch arrived, epoch milliseconds. */
  readonly at: number;
}

const NONE: Omit<Sender, "at"> = { upTo: 0, missing: [] };

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
    const { upTo, missing } = this.#senders.get(sender) ?? NONE;
    if (sequence > upTo) {
      const skipped = Array.from({ length: sequence - upTo - 1 }, (_, n) => upTo + 1 + n);
      this.#senders.set(sender, { upTo: sequence, missing: [...missing, ...skipped], at });
      return true;
    }
    if (!missing.includes(sequence)) return false;
    const left = missing.filter((number) => number !== sequence);
    this.#senders.set(sender, { upTo, missing: left, at });
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
