/**
 * The position of one client in the revisions of its environment. Notifications arrive more than
 * once, late and in any order, and the cursor lets only those pass that are news for the client. So
 * the client never goes back.
 */
export class EventCursor {
  #last: number;
  /** Whether the client's revision may be one of the future. */
  #isInDoubt = false;

  /** @param last the revision that the client has; 0 when it is unknown */
  constructor(last: number) {
    this.#last = last;
  }

  /**
   * Moves to the newest revision at the time of the connect. Returns whether the client must learn of
   * it. A client that has a revision of the future must, too: it may come from a database that was
   * restored.
   */
  begin(newest: number): boolean {
    if (newest === 0 || newest === this.#last) return false;
    this.#last = newest;
    return true;
  }

  /**
   * Call this instead of `begin` when nobody can say at the time of the connect whether the client's
   * revision exists.
   */
  doubt(): void {
    this.#isInDoubt = true;
  }

  /** Moves to the revision of a notification. Returns whether it is news for the client. */
  advance(revision: number): boolean {
    if (!(revision > this.#last)) return false;
    this.#last = revision;
    this.#isInDoubt = false;
    return true;
  }

  /**
   * Whether a notification may show that the client's revision is one of the future: the revision is
   * in doubt, and the notification has a lower one. The client must connect again then.
   */
  isContradictedBy(revision: number): boolean {
    return this.#isInDoubt && revision < this.#last;
  }
}
