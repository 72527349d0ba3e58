import { atLeast, backoff, remaining, reportInterval } from "./backoff.ts";
import type { FlagClientError } from "./failure.ts";
import { type Ports, Timer } from "./ports.ts";
import { CallError, type Transport } from "./transport.ts";
import type { Counts, Usage } from "./usage.ts";
import { SDK_VERSION } from "./version.ts";

interface ReporterParts {
  readonly transport: Transport;
  readonly usage: Usage;
  /** Whether the current rules have a flag. */
  readonly isKnown: (key: string) => boolean;
  /** The revision of the current rules; undefined: none. */
  readonly revision: () => number | undefined;
  /** Whether the client has an open stream. */
  readonly isListening: () => boolean;
  /** Called when the service does not accept a report. The counts of the report are dropped. */
  readonly onRejected: (error: FlagClientError) => void;
}

/**
 * The statuses with which the service says that a report is wrong. Sending the same report again is
 * useless.
 */
const REJECTED: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** The time between two reports, milliseconds. Also the time until the first one, and after a failure. */
const INTERVAL_MS = 60_000;

/**
 * The time between two reports of a client with an open stream, milliseconds, unless the service
 * demands another. Such a client polls rarely, so its reports would be most of its requests.
 */
const LISTENING_INTERVAL_MS = 300_000;

/** How long no report is sent after a 401 or 403, milliseconds. */
const REFUSED_PAUSE_MS = 300_000;

/**
 * Reports how often flags were checked. The counts of a report that fails are part of the next
 * report. If a report arrives and its response is lost, its counts arrive twice.
 */
export class Reporter {
  readonly #ports: Ports;
  readonly #parts: ReporterParts;
  /** The interval that the program has chosen, milliseconds; undefined: the client chooses. */
  readonly #chosen: number | undefined;
  readonly #timer: Timer;
  /** The reports that were sent and have no response yet. */
  readonly #running = new Set<Promise<boolean>>();
  #isStopped = false;
  /** Whether the service has accepted the last report. */
  #hasSucceeded = false;
  /** The interval of a client with an open stream, milliseconds. */
  #listeningInterval = LISTENING_INTERVAL_MS;
  /** How long the service has asked the client to wait, milliseconds. */
  #demanded = 0;
  /** When the service has demanded the delay, epoch milliseconds. */
  #demandedAt = 0;

  /**
   * @param chosen the time between two reports, milliseconds; undefined: a minute, or with an open
   * stream what the service demands
   */
  constructor(ports: Ports, parts: ReporterParts, chosen: number | undefined) {
    this.#ports = ports;
    this.#parts = parts;
    this.#chosen = chosen;
    this.#timer = new Timer(ports.clock);
  }

  /**
   * How long the client must still wait before a report, because the service has demanded a delay,
   * milliseconds.
   */
  get mustWait(): number {
    return remaining(this.#demanded, this.#demandedAt, this.#ports.clock.now());
  }

  /** The time until the next report, milliseconds. */
  get #interval(): number {
    if (this.#chosen !== undefined) return this.#chosen;
    const mayWait = this.#hasSucceeded && this.#parts.isListening();
    return mayWait ? this.#listeningInterval : INTERVAL_MS;
  }

  /** Reports at intervals, until `stop`. */
  start(): void {
    if (this.#isStopped) return;
    const { random } = this.#ports;
    const delay = this.#interval * (0.9 + random() / 5);
    this.#timer.set(Math.max(delay, atLeast(this.mustWait, random)), () => {
      void this.#flushAndGoOn();
    });
  }

  async #flushAndGoOn(): Promise<void> {
    await this.flush();
    this.start();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer.clear();
  }

  /** Sends the counts now, if there are any. Returns whether the service has accepted them. */
  async flush(): Promise<boolean> {
    // Does not share the report with other callers. In a Worker, no request may wait for the work
    // of another request.
    const sending = this.#send();
    this.#running.add(sending);
    try {
      return await sending;
    } finally {
      this.#running.delete(sending);
    }
  }

  /**
   * Sends the counts, and those of running reports that fail. Repeats failed attempts, unless the
   * next attempt would begin after `timeout` milliseconds.
   */
  async flushAll(timeout: number): Promise<void> {
    const { clock, random } = this.#ports;
    const { transport, usage } = this.#parts;
    const since = clock.now();
    await Promise.all(this.#running);
    for (let failures = 1; !(await this.flush()) && !usage.isEmpty; failures++) {
      const delay = Math.max(backoff(failures, random), atLeast(this.mustWait, random));
      // Ends the attempts. If the clock is set back meanwhile, the caller ends them by closing the
      // transport.
      if (transport.isClosed || delay >= remaining(timeout, since, clock.now())) return;
      await new Promise<void>((resolve) => {
        clock.setTimeout(resolve, delay);
      });
    }
  }

  async #send(): Promise<boolean> {
    const { usage, isKnown } = this.#parts;
    const reports = usage.take(isKnown);
    let isAccepted = true;
    // Makes the remaining reports of this round wait after a failure.
    for (const counts of reports)
      if (isAccepted) isAccepted = await this.#report(counts);
      else usage.giveBack(counts);
    return isAccepted;
  }

  async #report(evaluations: Counts): Promise<boolean> {
    const { transport, usage, revision, onRejected } = this.#parts;
    const { appName, instanceId } = transport.identity;
    const body = {
      evaluations,
      appName,
      instanceId: instanceId(),
      sdkVersion: SDK_VERSION,
      revision: revision(),
    };
    try {
      const { status, headers } = await transport.send({ path: "/api/client/metrics", body });
      this.#demanded = 0;
      this.#hasSucceeded = status === 202;
      this.#listeningInterval = reportInterval(headers) ?? this.#listeningInterval;
      if (status === 202) return true;
      // Keeps the counts, because the answer does not come from the service.
      usage.giveBack(evaluations);
      return false;
    } catch (error) {
      this.#hasSucceeded = false;
      const failure = error instanceof CallError ? error : undefined;
      if (failure?.status !== undefined && REJECTED.has(failure.status)) onRejected(failure);
      else usage.giveBack(evaluations);
      const pause = failure?.isFatal === true ? REFUSED_PAUSE_MS : 0;
      this.#demanded = Math.max(pause, failure?.retryAfter ?? 0);
      this.#demandedAt = this.#ports.clock.now();
      return false;
    }
  }
}
