import { describe, expect, it } from "vitest";
import { readMessage, type StreamChange } from "../../../src/core/stream/change.ts";
import { EventCursor } from "../../../src/core/stream/event-cursor.ts";
import { type HubState, StreamHub } from "../../../src/core/stream/hub.ts";
import { type LeafState, StreamLeaf } from "../../../src/core/stream/leaf.ts";
import { FakeClock } from "../../support/clock.ts";
import { seeded } from "../../../scripts/lib/seeded.ts";

const LEAVES = 4;
const CLIENTS = 50;
const WRITES = 10_000;
const MINUTE_MS = 60_000;
const POLL_MS = 5 * MINUTE_MS;

interface Socket {
  isOpen: boolean;
  readonly receive: (message: string) => void;
}

/** A leaf that loses its memory at any time, while its storage and its sockets stay. */
class LeafObject {
  #sockets: Socket[] = [];
  #stored: LeafState | undefined;
  #leaf: StreamLeaf<Socket> | undefined;
  readonly #clock: FakeClock;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  #inMemory(): StreamLeaf<Socket> {
    this.#leaf ??= new StreamLeaf<Socket>({
      load: () => this.#stored,
      save: (state) => {
        this.#stored = state;
      },
      sockets: (kind) => (kind === "native" ? this.#sockets.filter(({ isOpen }) => isOpen) : []),
      send: (socket, message) => socket.receive(message),
      wait: this.#clock.wait,
    });
    return this.#leaf;
  }

  /** Registers a socket, and returns the newest revision that the leaf knows then. */
  open(socket: Socket): number {
    this.#sockets = [...this.#sockets.filter(({ isOpen }) => isOpen), socket];
    return this.#inMemory().newest;
  }

  send(change: StreamChange): Promise<void> {
    return this.#inMemory().send(change);
  }

  evict(): void {
    this.#leaf = undefined;
  }
}

/** The probabilities of each kind of trouble: for each write, each call or each client. */
interface Troubles {
  readonly lost: number;
  readonly duplicated: number;
  readonly delayed: number;
  readonly leafFails: number;
  readonly evicted: number;
  readonly cut: number;
  /**
   * The probability that the database cannot say whether the revision of a connecting client
   * exists.
   */
  readonly unknown: number;
}

const NONE: Troubles = {
  lost: 0,
  duplicated: 0,
  delayed: 0,
  leafFails: 0,
  evicted: 0,
  cut: 0,
  unknown: 0,
};

interface Client {
  /** The revision of the client's rules. */
  revision: number;
  /** The revision of the client's last event. */
  lastEvent: number;
  /** How often an event had the revision of the previous event or an older one. */
  wentBack: number;
  events: number;
  polls: number;
  polledAt: number;
  socket: Socket | undefined;
  /** When the client connects again, epoch milliseconds. */
  opensAt: number;
}

/**
 * A hub, leaves and clients, with a clock that the test advances. The hub, the leaves and the cursors
 * are the service's own code. The test plays the network, the cron, and the clients.
 */
class Simulation {
  troubles: Troubles;
  readonly clock = new FakeClock();
  readonly clients: Client[];
  newest = 1;
  readonly #random: () => number;
  readonly #leaves = Array.from({ length: LEAVES }, () => new LeafObject(this.clock));
  #hubState: HubState | undefined;
  #hub: StreamHub | undefined;
  #due: { readonly at: number; readonly change: StreamChange }[] = [];
  #cronAt = this.clock.now() + MINUTE_MS;
  readonly #withCron: boolean;

  constructor(seed: number, troubles: Troubles, withCron = true) {
    this.#random = seeded(seed);
    this.troubles = troubles;
    this.#withCron = withCron;
    const now = this.clock.now();
    this.clients = Array.from({ length: CLIENTS }, () => ({
      revision: 1,
      lastEvent: 0,
      wentBack: 0,
      events: 0,
      polls: 0,
      polledAt: now,
      socket: undefined,
      opensAt: now,
    }));
  }

  #happens(probability: number): boolean {
    return this.#random() < probability;
  }

  #theHub(): StreamHub {
    this.#hub ??= new StreamHub({
      leaves: LEAVES,
      load: () => this.#hubState,
      save: (state) => {
        this.#hubState = structuredClone(state);
      },
      send: async (leaf, change) => {
        const { leafFails } = this.troubles;
        if (this.#happens(leafFails)) throw new Error("the leaf does not respond");
        await this.#leaves[leaf]?.send(change);
        if (this.#happens(leafFails)) throw new Error("the answer was lost");
      },
    });
    return this.#hub;
  }

  /** Writes a revision. Its notification may be lost, duplicated or delayed. */
  write(): void {
    this.newest += 1;
    const revision = this.newest;
    const change = { revision, delta: JSON.stringify({ revision, from: revision - 1 }) };
    const { lost, duplicated, delayed, evicted, cut } = this.troubles;
    const twice = this.#happens(duplicated) ? 2 : 1;
    const copies = this.#happens(lost) ? 0 : twice;
    const now = this.clock.now();
    for (let copy = 0; copy < copies; copy++)
      this.#due.push({ at: now + (this.#happens(delayed) ? this.#random() * 5_000 : 0), change });
    for (const leaf of this.#leaves) if (this.#happens(evicted)) leaf.evict();
    if (this.#happens(evicted)) this.#hub = undefined;
    for (const client of this.clients)
      if (client.socket?.isOpen && this.#happens(cut)) this.#cut(client, client.socket);
  }

  /** Ends the stream of a client, which connects again after its delay. */
  #cut(client: Client, socket: Socket): void {
    socket.isOpen = false;
    client.opensAt = this.clock.now() + 1_000 + this.#random() * 4_000;
  }

  /** Advances the clock, and does everything that becomes due. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    const now = this.clock.now();
    const changes = this.#due.filter(({ at }) => at <= now).map(({ change }) => change);
    this.#due = this.#due.filter(({ at }) => at > now);
    if (now >= this.#cronAt) {
      this.#cronAt = now + MINUTE_MS;
      if (this.#withCron) changes.push({ revision: this.newest });
    }
    for (const client of this.clients) this.#act(client, now);
    await Promise.allSettled(changes.map((change) => this.#theHub().notify(change)));
  }

  #act(client: Client, now: number): void {
    if (!client.socket?.isOpen && client.opensAt <= now) this.#connect(client);
    if (now - client.polledAt < POLL_MS) return;
    client.polledAt = now;
    client.polls += 1;
    client.revision = Math.max(client.revision, this.newest);
  }

  /** Connects a client, as the route does (src/client/stream/routes.ts). */
  #connect(client: Client): void {
    const cursor = new EventCursor(client.revision);
    const socket: Socket = {
      isOpen: true,
      receive: (message) => {
        const { revision } = readMessage(message);
        if (!socket.isOpen) return;
        if (cursor.isContradictedBy(revision)) this.#cut(client, socket);
        else if (cursor.advance(revision)) learn(client, revision);
      },
    };
    const known = this.#leaves[Math.floor(this.#random() * LEAVES)]?.open(socket) ?? 0;
    // Takes the revision from a lagging replica. If the client has a newer revision, asks the
    // primary.
    const checked = Math.max(1, this.newest - Math.floor(this.#random() * 20));
    client.socket = socket;
    const isBehind = client.revision > Math.max(known, checked);
    if (isBehind && this.#happens(this.troubles.unknown)) return cursor.doubt();
    const first = Math.max(known, isBehind ? this.newest : checked);
    if (cursor.begin(first)) learn(client, first);
  }
}

/**
 * Lets the client get an event. It has newer rules already if it has polled since the last event.
 */
function learn(client: Client, revision: number): void {
  if (revision <= client.lastEvent) client.wentBack += 1;
  client.lastEvent = revision;
  client.revision = Math.max(client.revision, revision);
  client.events += 1;
}

/** Runs all writes with troubles, and then two minutes without. */
async function run(simulation: Simulation, random: () => number): Promise<Simulation> {
  for (let n = 0; n < WRITES; n++) {
    simulation.write();
    await simulation.pass(random() * 300);
  }
  simulation.troubles = NONE;
  for (let n = 0; n < 12; n++) await simulation.pass(10_000);
  return simulation;
}

/**
 * Shows that no client misses a change: runs the service's own hub, leaf and cursor over 10,000
 * writes, cuts connections at random, and loses, duplicates, delays and reorders notifications.
 * `test/worker/stream/no-gap.test.ts` shows the same of the whole service, over fewer writes.
 */
describe("an event stream with 50 clients over 10,000 writes", () => {
  const ALL: Troubles = {
    lost: 0.2,
    duplicated: 0.2,
    delayed: 0.4,
    leafFails: 0.1,
    evicted: 0.02,
    cut: 0.01,
    unknown: 0.5,
  };
  const TROUBLES: Readonly<Record<string, Troubles>> = {
    "nothing goes wrong": NONE,
    "connections are cut": { ...NONE, cut: 0.01 },
    "connections are cut and the database is down": { ...NONE, cut: 0.01, unknown: 1 },
    "notifications are lost": { ...NONE, lost: 0.3 },
    "notifications are duplicated and delayed": { ...NONE, duplicated: 0.3, delayed: 0.5 },
    "leaves fail and objects are evicted": { ...NONE, leafFails: 0.2, evicted: 0.05 },
    "all of these happen": ALL,
  };

  it.each(Object.entries(TROUBLES))(
    "all clients end at the newest revision, none goes back, and none polls more than every 5 minutes, when %s",
    async (_, troubles) => {
      for (const seed of [1, 2]) {
        const simulation = await run(new Simulation(seed, troubles), seeded(seed + 100));
        const { clients, newest, clock } = simulation;
        expect(newest).toBe(WRITES + 1);
        expect(new Set(clients.map(({ revision }) => revision))).toEqual(new Set([newest]));
        expect(clients.map(({ wentBack }) => wentBack)).toEqual(clients.map(() => 0));
        const minutes = (clock.now() - new FakeClock().now()) / POLL_MS;
        for (const { polls, events } of clients) {
          expect(polls).toBeLessThanOrEqual(minutes);
          // Requires that events carry most changes. Polls alone would not be enough.
          expect(events).toBeGreaterThan(WRITES / 10);
        }
      }
    },
  );

  it("most clients are behind at the end without the minute cron, when the last notifications are lost", async () => {
    const simulation = new Simulation(1, ALL, false);
    for (let n = 0; n < 100; n++) {
      simulation.write();
      await simulation.pass(100);
    }
    simulation.troubles = { ...NONE, lost: 1 };
    simulation.write();
    for (let n = 0; n < 6; n++) await simulation.pass(10_000);
    const { clients, newest } = simulation;
    expect(clients.filter(({ revision }) => revision < newest).length).toBeGreaterThan(CLIENTS / 2);
  });
});

describe("a leaf with more than 1,000 streams", () => {
  it("spreads an event over a second, and sends only the newer change when a newer change arrives meanwhile", async () => {
    const clock = new FakeClock();
    const received: number[][] = Array.from({ length: 5_000 }, () => []);
    let state: LeafState | undefined;
    const leaf = new StreamLeaf<number>({
      load: () => state,
      save: (next) => {
        state = next;
      },
      sockets: (kind) => (kind === "native" ? [...received.keys()] : []),
      send: (socket, message) => received[socket]?.push(readMessage(message).revision),
      wait: clock.wait,
    });
    const reached = (revision: number) => received.filter((all) => all.includes(revision)).length;
    const turn = () => new Promise(setImmediate);
    const first = leaf.send({ revision: 2 });
    expect(reached(2)).toBe(500);
    clock.advance(100);
    await turn();
    expect(reached(2)).toBe(1_000);
    const second = leaf.send({ revision: 3 });
    for (let n = 0; n < 10; n++) {
      clock.advance(100);
      await turn();
    }
    await Promise.all([first, second]);
    expect([reached(2), reached(3)]).toEqual([1_000, 5_000]);
    expect(received.every((all) => all.at(-1) === 3)).toBe(true);
    expect(state).toEqual({ newest: 3, sent: 3 });
  });
});
