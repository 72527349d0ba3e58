import { type ClientOptions, createClient, type FlagClient } from "@feature-flags/sdk";
import { afterEach, expect } from "vitest";
import { FakeService, KEY, URL_OF_SERVICE } from "./fake-service.ts";
import { FakeTimers } from "./fake-timers.ts";

/** A client with its service, and a record of its events and messages. */
export interface Started {
  readonly clock: FakeTimers;
  readonly service: FakeService;
  readonly client: FlagClient;
  /** The events in their order: `ready`, `stale`, `change: <keys>`, `error: <code>`. */
  readonly events: string[];
  /** The messages of the logger. */
  readonly messages: string[];
}

const started: Started[] = [];

/** Creates a client of a service in memory, on a clock that a test advances. */
export function start(
  options: Partial<ClientOptions> = {},
  prepare: (service: FakeService) => void = () => {},
): Started {
  const clock = new FakeTimers();
  const service = new FakeService(clock);
  prepare(service);
  const messages: string[] = [];
  const log = (message: string) => void messages.push(message);
  const client = createClient({
    url: URL_OF_SERVICE,
    key: KEY,
    clock,
    random: () => 0.5,
    fetch: service.fetch,
    logger: { warn: log, error: log },
    ...options,
  });
  const events: string[] = [];
  client.on("ready", () => void events.push("ready"));
  client.on("stale", () => void events.push("stale"));
  client.on("change", ({ flags }) => void events.push(`change: ${flags.join(" ")}`));
  client.on("error", ({ code }) => void events.push(`error: ${code}`));
  const all = { clock, service, client, events, messages };
  started.push(all);
  return all;
}

/** Closes the clients after each test, and checks that no timer and no stream is left. */
export function closeAll(): void {
  afterEach(async () => {
    for (const { client, clock, service } of started.splice(0)) {
      const closed = client.close();
      await clock.advance(10_000);
      await closed;
      expect(clock.size).toBe(0);
      expect(service.openStreams).toBe(0);
    }
  });
}
