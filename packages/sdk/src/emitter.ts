import { isFunction } from "./arguments.ts";
import type { FlagClientError } from "./failure.ts";
import type { Logger } from "./ports.ts";

/** A change of the rules. */
export interface ChangeEvent {
  /** The keys of the flags that changed, and of the flags that require one of these. */
  readonly flags: readonly string[];
  /** The revision of the rules after the change. */
  readonly revision: number;
}

/** The events of a client, each with the value that its listeners get. */
export interface ClientEvents {
  /** The client has current rules: for the first time, or again after `stale` or `error`. */
  readonly ready: undefined;
  /** A flag may have another value now. */
  readonly change: ChangeEvent;
  /** The rules may be old: the service has not confirmed them for a while. */
  readonly stale: undefined;
  /** Something failed. An error that lasts is reported once. */
  readonly error: FlagClientError;
}

export type Listener<E extends keyof ClientEvents> = (event: ClientEvents[E]) => void;

/** A listener that was added. The same function can be added more than once. */
interface Entry<E extends keyof ClientEvents> {
  readonly listener: Listener<E>;
  readonly isOnce: boolean;
}

type Listeners = { [E in keyof ClientEvents]: Set<Entry<E>> };

/**
 * The listeners of a client. A listener that throws affects neither the client nor the other
 * listeners.
 */
export class Emitter {
  readonly #logger: Logger;
  readonly #listeners: Listeners = {
    ready: new Set(),
    change: new Set(),
    stale: new Set(),
    error: new Set(),
  };

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Adds a listener. Returns a function that removes it. Throws, as `once` and `off`: a TypeError for an
   * unknown event, or a listener that is not a function.
   */
  on<E extends keyof ClientEvents>(event: E, listener: Listener<E>): () => void {
    return this.#add(event, { listener, isOnce: false });
  }

  /** Adds a listener for the next event only. Returns a function that removes it. */
  once<E extends keyof ClientEvents>(event: E, listener: Listener<E>): () => void {
    return this.#add(event, { listener, isOnce: true });
  }

  /** Removes a listener. If it was added more than once, removes the one that was added last. */
  off<E extends keyof ClientEvents>(event: E, listener: Listener<E>): void {
    const entries = this.#listenersOf(event, listener);
    const last = [...entries].findLast((entry) => entry.listener === listener);
    if (last !== undefined) entries.delete(last);
  }

  #add<E extends keyof ClientEvents>(event: E, entry: Entry<E>): () => void {
    const entries = this.#listenersOf(event, entry.listener);
    entries.add(entry);
    return () => void entries.delete(entry);
  }

  /** Checks the arguments for callers without types. */
  #listenersOf<E extends keyof ClientEvents>(event: E, listener: Listener<E>): Listeners[E] {
    if (!Object.hasOwn(this.#listeners, event)) {
      const given: unknown = event;
      const names = Object.keys(this.#listeners).join(", ");
      throw new TypeError(`A client has no event ${String(given)}; use one of ${names}`);
    }
    if (!isFunction(listener))
      throw new TypeError(`The listener of the event ${event} must be a function`);
    return this.#listeners[event];
  }

  emit<E extends keyof ClientEvents>(event: E, given: ClientEvents[E]): void {
    const current = this.#listeners[event];
    // Copies the list, so that a listener that is added during an event waits for the next event.
    const entries = [...current];
    for (const entry of entries)
      try {
        if (!current.has(entry)) continue;
        if (entry.isOnce) current.delete(entry);
        entry.listener(given);
      } catch (error) {
        this.#logger.error(`A listener of "${event}" has thrown: ${String(error)}`);
      }
  }

  clear(): void {
    for (const listeners of Object.values(this.#listeners)) listeners.clear();
  }
}
