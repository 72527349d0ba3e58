import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { intercept } from "../support/call-with.ts";
import type { Json } from "../support/client.ts";
import { type EventReader, NATIVE, newSwitch, ofrepUrl, openStreams } from "../support/streams.ts";
import { minute } from "../support/minute.ts";

const { open } = openStreams();

const WRITES = 150;
const CLIENTS = 20;

/** A client that connects again with its last event id whenever its stream ends. */
class Client {
  readonly revisions: number[] = [];
  connects = 0;
  #stream: EventReader | undefined;
  readonly #connect: (last: string | undefined) => Promise<EventReader>;

  constructor(connect: (last: string | undefined) => Promise<EventReader>) {
    this.#connect = connect;
  }

  /** Takes the new events of the stream, and opens a stream if there is none. */
  async act(): Promise<void> {
    if (!this.#stream || this.#stream.isClosed) {
      this.#take();
      this.#stream = await this.#connect(this.revisions.at(-1)?.toString());
      this.connects += 1;
    }
    this.#take();
  }

  async cut(): Promise<void> {
    this.#take();
    await this.#stream?.close();
    this.#stream = undefined;
  }

  #take(): void {
    this.revisions.push(...(this.#stream?.events.splice(0) ?? []).map(({ id }) => Number(id)));
  }
}

/** Hub bindings that lose, repeat or delay notifications at random. */
function unreliableHubs(random: () => number) {
  const late: (() => Promise<unknown>)[] = [];
  const hubs = intercept(env.STREAM_HUBS, (name, value: Json) =>
    name === "getByName"
      ? (id: string) => {
          const notify = (change: object) => value.call(env.STREAM_HUBS, id).notify(change);
          return {
            notify: async (change: object) => {
              const chance = random();
              if (chance < 0.15) throw new Error("the notification is lost");
              if (chance < 0.3) late.push(() => notify(change));
              else await notify(change);
              if (chance > 0.85) await notify(change);
            },
          };
        }
      : undefined,
  );
  return { hubs, late };
}

/**
 * Shows that no client misses a change: the whole service through its front door, with the real
 * database, hub and leaves, over 150 writes. `test/core/stream/no-gap.test.ts` shows the same for the
 * logic of the streams over 10,000 writes and with more troubles.
 */
describe("20 clients over 150 writes", () => {
  it("all end at the newest revision and none goes back, with cut connections and unreliable notifications", async () => {
    const { apiKey, write } = await newSwitch();
    const url = await ofrepUrl(apiKey);
    const clients = Array.from(
      { length: CLIENTS },
      (_, n) =>
        new Client((last) =>
          open(n % 2 === 0 ? NATIVE : url, {
            ...(n % 2 === 0 && { token: apiKey }),
            headers: last === undefined ? {} : { "Last-Event-ID": last },
          }),
        ),
    );
    const { hubs, late } = unreliableHubs(Math.random);
    let newest = 0;
    for (let n = 0; n < WRITES; n++) {
      newest = await write({ STREAM_HUBS: hubs });
      if (late.length > 0 && Math.random() < 0.5) await late.shift()?.();
      for (const client of n % 5 === 0 ? clients : []) {
        if (Math.random() < 0.2) await client.cut();
        await client.act();
      }
    }
    for (const send of late) await send();
    await minute();
    await expect
      .poll(async () => {
        for (const client of clients) await client.act();
        return clients.map(({ revisions }) => revisions.at(-1));
      })
      .toEqual(clients.map(() => newest));
    expect(newest).toBeGreaterThan(WRITES);
    for (const { revisions, connects } of clients) {
      expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
      expect(connects).toBeGreaterThan(1);
      expect(revisions.length).toBeGreaterThan(connects);
    }
  });
});
