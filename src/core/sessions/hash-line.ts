import { ApiError, tooManyRequests } from "../errors/api-error.ts";

/**
 * How many callers an isolate lets wait for a password hash. The last one waits for some two
 * seconds. Strangers take at most `STRANGERS` of these places. The other places are for known
 * callers, so that a flood of logins does not keep them out.
 */
const PLACES = 12;
const STRANGERS = 10;

/** How many of the places for strangers the callers of one network may take. */
const SAME_NETWORK = 4;

/** How often a waiting caller checks whether its turn has come, in milliseconds. */
const POLL_MS = 20;

/**
 * How many checks in a row must find that it is the caller's turn before the hash begins, so that
 * at least 40 ms pass between two hashes. In the local runtime, a hash blocks all other requests. A
 * poll of an SDK that needs the database can finish between two hashes.
 */
const PAUSES = 3;

/**
 * How long a caller keeps its place after its last check, milliseconds. Without this limit, a
 * request that the platform stops would keep its place for ever. Longer than the timeout of a hash.
 */
const PLACE_MS = 10_000;

/** What the line must know about a caller who wants a password hash. */
export interface HashCaller {
  /**
   * The id of the user for whom the caller has proved something: a link in an e-mail, an access
   * token, or a device that has signed in before. Undefined for a stranger. While a known caller has
   * a place, further callers for the same user count as strangers, so that one user cannot take the
   * places of all known callers.
   */
  readonly userId: number | undefined;
  /**
   * The network of the caller (an IPv4 address or an IPv6 /48), or undefined when the request has no address.
   */
  readonly network: string | undefined;
}

interface LinePorts {
  /** Returns the current time in epoch milliseconds. */
  now(): number;
  wait(ms: number): Promise<void>;
}

interface Place extends HashCaller {
  readonly isKnown: boolean;
  state: "entered" | "waiting" | "hashing";
  /** Until when the place is taken, epoch milliseconds. */
  until: number;
}

/**
 * Waits until it is the caller's turn, and then runs the hash. The hash learns whether the caller has
 * the place of a known caller.
 */
type InTurn = <T>(hash: (isKnown: boolean) => Promise<T>) => Promise<T>;

/**
 * The line of the callers in one isolate who want a password hash. One hash runs at a time, because a hash
 * takes 32 MiB and some 200 ms of CPU time. The line is plain data that waiting requests poll, because
 * requests must not share promises (docs/build/architecture.md, "Facts about the platform").
 */
export class HashLine {
  /** The places in the order of arrival. */
  #places: Place[] = [];

  /**
   * Takes a place in the line for as long as `work` lasts. Throws: 429 when the network of a
   * stranger has too many places, 503 when the line is full, and the errors of `work`.
   */
  async run<T>(
    ports: LinePorts,
    caller: HashCaller,
    work: (inTurn: InTurn) => Promise<T>,
  ): Promise<T> {
    const place = this.#enter(ports, caller);
    try {
      return await work((hash) => this.#inTurn(ports, place, hash));
    } finally {
      this.#places = this.#places.filter((one) => one !== place);
    }
  }

  async #inTurn<T>(
    ports: LinePorts,
    place: Place,
    hash: (isKnown: boolean) => Promise<T>,
  ): Promise<T> {
    place.state = "waiting";
    for (let pauses = this.#isNext(place) ? PAUSES : 0; pauses < PAUSES;) {
      await ports.wait(POLL_MS);
      place.until = ports.now() + PLACE_MS;
      this.#removeAbandoned(ports);
      if (this.#isNext(place)) pauses += 1;
    }
    place.state = "hashing";
    try {
      return await hash(place.isKnown);
    } finally {
      place.state = "entered";
    }
  }

  #isNext(place: Place): boolean {
    const next = this.#places.find(({ state }) => state === "waiting");
    // A caller that did not check for longer than PLACE_MS has lost its place, and only waits until
    // no other hash runs.
    const isFirst = next === place || !this.#places.includes(place);
    return isFirst && !this.#places.some(({ state }) => state === "hashing");
  }

  #enter(ports: LinePorts, caller: HashCaller): Place {
    this.#removeAbandoned(ports);
    const { userId, network } = caller;
    const isKnown =
      userId !== undefined &&
      !this.#places.some((place) => place.isKnown && place.userId === userId);
    const strangers = this.#places.filter((place) => !place.isKnown);
    if (!isKnown) {
      const same = strangers.filter((place) => network !== undefined && place.network === network);
      if (same.length >= SAME_NETWORK)
        throw tooManyRequests("Too many sign-ins at once from your network; try again", 1_000);
    }
    if (this.#places.length >= PLACES || (!isKnown && strangers.length >= STRANGERS))
      throw new ApiError(
        "SERVICE_UNAVAILABLE",
        "Too many sign-ins at the moment. Nothing was changed; try again in 2 seconds",
        { headers: { "Retry-After": "2" } },
      );
    const until = ports.now() + PLACE_MS;
    const place: Place = { ...caller, isKnown, state: "entered", until };
    this.#places = [...this.#places, place];
    return place;
  }

  #removeAbandoned(ports: LinePorts): void {
    const now = ports.now();
    this.#places = this.#places.filter(({ until }) => until > now);
  }
}
