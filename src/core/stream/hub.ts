import type { StreamChange } from "./change.ts";

/** The storage of a hub, the Durable Object that passes new revisions of an environment on. */
export interface HubState {
  readonly newest: number;
  /** The newest revision that each leaf has sent to its streams. */
  readonly sent: readonly number[];
}

/** What a hub (the Durable Object that passes new revisions on) needs from the platform. */
export interface HubPorts {
  readonly leaves: number;
  load(): HubState | undefined;
  save(state: HubState): void;
  /** Makes a leaf send the change to its streams. Throws the errors of the call. */
  send(leaf: number, change: StreamChange): Promise<void>;
}

/**
 * How often a hub calls a leaf that fails. After these attempts, the leaf gets the change with the
 * next notification.
 */
const ATTEMPTS = 2;

/**
 * The hub of an environment: it passes each new revision to the leaves, and remembers which leaves
 * have sent it. A notification may arrive twice, late, or never; the next one then repairs it.
 */
export class StreamHub {
  readonly #ports: HubPorts;
  #newest: number;
  readonly #sent: number[];

  constructor(ports: HubPorts) {
    this.#ports = ports;
    const { newest = 0, sent = [] } = ports.load() ?? {};
    this.#newest = newest;
    this.#sent = Array.from({ length: ports.leaves }, (_, leaf) => sent[leaf] ?? 0);
  }

  /**
   * Passes a change to every leaf that has not sent it. Throws: the error of a leaf that failed
   * every attempt; the other leaves have sent the change then.
   */
  async notify(notified: StreamChange): Promise<void> {
    this.#newest = Math.max(this.#newest, notified.revision);
    const change = notified.revision === this.#newest ? notified : { revision: this.#newest };
    const behind = [...this.#sent.keys()].filter((leaf) => this.#sentBy(leaf) < change.revision);
    if (behind.length === 0) return;
    const results = await Promise.allSettled(behind.map((leaf) => this.#pass(leaf, change)));
    this.#ports.save({ newest: this.#newest, sent: this.#sent });
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  #sentBy(leaf: number): number {
    return this.#sent[leaf] ?? 0;
  }

  async #pass(leaf: number, change: StreamChange): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        await this.#ports.send(leaf, change);
        this.#sent[leaf] = Math.max(this.#sentBy(leaf), change.revision);
        return;
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
      }
  }
}
