import { MIN_MARK_INTERVAL_MS } from "./message-types.ts";

/**
 * The last uses of flags or API keys that the database should have. A use is due when the last
 * written one is at least `MIN_MARK_INTERVAL_MS` older.
 */
export class DueMarks<Key extends string | number> {
  readonly #due = new Map<Key, number>();
  readonly #written = new Map<Key, number>();

  add(key: Key, usedAt: number): void {
    const written = this.#written.get(key);
    if (written !== undefined && usedAt - written < MIN_MARK_INTERVAL_MS) return;
    const due = this.#due.get(key);
    if (due === undefined || due < usedAt) this.#due.set(key, usedAt);
  }

  addAll(uses: readonly (readonly [Key, number])[]): void {
    for (const [key, usedAt] of uses) this.add(key, usedAt);
  }

  due(): [Key, number][] {
    return [...this.#due];
  }

  /** Forgets a flag or an API key that was deleted. */
  delete(key: Key): void {
    this.#due.delete(key);
    this.#written.delete(key);
  }

  confirm(uses: readonly (readonly [Key, number])[]): void {
    for (const [key, usedAt] of uses) {
      this.#written.set(key, usedAt);
      const due = this.#due.get(key);
      if (due !== undefined && due - usedAt < MIN_MARK_INTERVAL_MS) this.#due.delete(key);
    }
  }
}
