/**
 * The position of one client in the revisions of its environment. Notifications arrive more than
 * once, late and in any order, and the cursor passes only revisions that are newer than the
 * client's. So the client never goes back to an older revision.
 */
export class EventCursor {
  #last: number;
  /** Whether the client may claim a revision that does not exist: one above the newest revision. */
  #isInDoubt = false;

  /** @param last the revision that the client has; 0 when it is unknown */
  constructor(last: number) {
    this.#last = last;
  }

  /**
   * Moves to the newest revision at the time of the connect. Returns whether the client must be
   * told that revision. True also if the client has a higher revision, because it may come from
   * before a database restore.
   */
  begin(newest: number): boolean {
    if (newest === 0 || newest === this.#last) return false;
    this.#last = newest;
    return true;
  }

  /** Call this instead of `begin` when the newest revision is unknown at the time of the connect. */
  doubt(): void {
    this.#isInDoubt = true;
  }

  /** Moves to the revision of a notification. Returns whether the revision is newer than the client's. */
  advance(revision: number): boolean {
    if (!(revision > this.#last)) return false;
    this.#last = revision;
    this.#isInDoubt = false;
    return true;
  }

  /**
   * Whether a notification may show that the client's revision does not exist: the revision is in
   * doubt, and the notification has a lower one. The client must connect again then.
   */
  isContradictedBy(revision: number): boolean {
    return this.#isInDoubt && revision < this.#last;
  }
}
