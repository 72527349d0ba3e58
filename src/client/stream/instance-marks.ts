import type { Message } from "../../core/stream/change.ts";
import { callingInstance } from "../usage/instance.ts";
import type { ClientCall } from "../edge/surface.ts";

/**
 * After how many heartbeats a stream marks its SDK instance again: after 200 seconds. The dashboard counts
 * the instances that were seen in the last 5 minutes, and SDKs with a stream poll only every 5 minutes.
 */
const HEARTBEATS_A_MARK = 8;

/** What the service knows when a client has connected. */
interface Connect {
  /** The revision that the client names at the connect; 0 when it names none. */
  readonly has: number;
  /** The newest revision at the connect; undefined when it is unknown. */
  readonly newest: number | undefined;
}

/**
 * The last-seen marks of the SDK instance that holds a stream: at the connect, for each event with the
 * rules of a change, and at the eighth heartbeat after the last mark. After an event without them, the instance
 * fetches the rules, and that request marks it.
 */
class InstanceMarks {
  /** Marks the instance as seen now, with the revision of its rules; null when it is unknown. */
  readonly #mark: (revision: number | null) => void;
  /**
   * The revision of the instance's rules, from what the client named and what the stream sent; null: unknown.
   */
  #revision: number | null;
  /** The revision of the last event, or of the connect. */
  #last: number;
  #heartbeats = 0;

  constructor({ has, newest }: Connect, mark: (revision: number | null) => void) {
    this.#mark = mark;
    const isRevision = has > 0 && newest !== undefined && has <= newest;
    this.#revision = isRevision ? has : null;
    this.#last = newest ?? has;
    mark(this.#revision);
  }

  /** Call this when the stream has sent an event. */
  event({ revision, from }: Message): void {
    const isCurrent = from === this.#last;
    this.#last = revision;
    if (!isCurrent) return;
    this.#revision = revision;
    this.#heartbeats = 0;
    this.#mark(revision);
  }

  /** Call this when the stream has sent a heartbeat. */
  heartbeat(): void {
    this.#heartbeats += 1;
    if (this.#heartbeats < HEARTBEATS_A_MARK) return;
    this.#heartbeats = 0;
    this.#mark(this.#revision);
  }
}

/** Returns the last-seen marks for the calling SDK instance; undefined when the request names no instance. */
export function instanceMarks(
  { c, served, edge, ports }: ClientCall,
  connect: Connect,
): InstanceMarks | undefined {
  const { key } = served;
  const instance = callingInstance(c.req.raw.headers, key);
  if (!instance) return undefined;
  // Leaves the features of the instance as they are: only a fetch of the rules changes them.
  return new InstanceMarks(connect, (revision) =>
    edge.lastSeen.instance(ports, instance, { key, revision, fetchesRules: false }),
  );
}
