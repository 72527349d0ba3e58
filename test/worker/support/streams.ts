import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import worker from "../../../src/worker.ts";
import { afterEach } from "vitest";
import { callWith } from "./call-with.ts";
import { call, type CallOptions, type Json, request } from "./client.ts";
import { adminToken } from "./people.ts";
import { newFlag, newWorld } from "./world.ts";

/** An event of a stream, as `EventSource` reads it. */
export interface StreamEvent {
  readonly event: string;
  readonly id: string;
  readonly data: Json;
}

/** An open event stream. */
export class EventReader {
  readonly status: number;
  readonly headers: Headers;
  readonly events: StreamEvent[] = [];
  readonly comments: string[] = [];
  /** The delay before a client connects again, milliseconds. */
  retry = Number.NaN;
  isClosed = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #text = "";

  constructor(response: Response) {
    this.status = response.status;
    this.headers = response.headers;
    const isStream = response.headers.get("Content-Type") === "text/event-stream";
    this.#reader = isStream ? response.body?.getReader() : undefined;
    if (this.#reader) void this.#read(this.#reader);
    else void response.body?.cancel();
  }

  /** The revisions of the events, in their order. */
  get revisions(): number[] {
    return this.events.map(({ id }) => Number(id));
  }

  /** Disconnects from the side of the client. */
  async close(): Promise<void> {
    await this.#reader?.cancel();
    this.isClosed = true;
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for (;;) {
      const part = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (part.done) break;
      this.#text += decoder.decode(part.value, { stream: true });
      const blocks = this.#text.split("\n\n");
      this.#text = blocks.pop() ?? "";
      for (const block of blocks) this.#add(block);
    }
    this.isClosed = true;
  }

  #add(block: string): void {
    if (block.startsWith(":")) return void this.comments.push(block);
    const fields = Object.fromEntries(
      block.split("\n").map((line) => {
        const [name = "", ...rest] = line.split(": ");
        return [name, rest.join(": ")];
      }),
    );
    if (fields["retry"] !== undefined) this.retry = Number(fields["retry"]);
    const { event = "message", id = "", data } = fields;
    if (data !== undefined) this.events.push({ event, id, data: JSON.parse(data) });
  }
}

/**
 * Creates an environment with a SERVER key and a flag, and returns how to change and to read its
 * revision. A write can use replaced bindings.
 */
export async function newSwitch() {
  const world = await newWorld();
  const { environmentId, apiKey } = world;
  const flag = await newFlag(world.projectId);
  let percentage = 0;
  const revision = async () =>
    Number((await call("GET", FEATURES, { token: apiKey })).headers.get("X-Revision"));
  /** Changes the flag, and returns the new revision. */
  const write = async (replaced: Partial<Env> = {}): Promise<number> => {
    percentage = (percentage % 100) + 1;
    const answer = await callWith(replaced, "PUT", `/api/v1/flags/${flag.id}/strategies`, {
      token: await adminToken(),
      body: { environmentId, enabled: true, percentage },
    });
    return Number(answer.headers.get("X-Revision"));
  };
  return { ...world, flag, write, revision };
}

const FEATURES = "/api/client/features";

/** Opens streams, and closes them after each test. */
export function openStreams() {
  const opened: EventReader[] = [];
  afterEach(async () => {
    for (const reader of opened.splice(0)) await reader.close();
  });
  const kept = (reader: EventReader) => {
    opened.push(reader);
    return reader;
  };
  return {
    open: async (path: string, options: CallOptions = {}) => kept(await openStream(path, options)),
    openWith: async (replaced: Partial<Env>, path: string, options: CallOptions = {}) =>
      kept(await openStreamWith(replaced, path, options)),
  };
}

/** Waits until the streams must have passed on every event that was sent before the call. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 300));

export const NATIVE = "/api/client/stream";

/** Opens a stream through the front door. */
const openStream = async (path: string, options: CallOptions = {}): Promise<EventReader> =>
  new EventReader(await exports.default.fetch(request("GET", path, options)));

/** Opens a stream with some of the Worker's bindings replaced. */
async function openStreamWith(
  replaced: Partial<Env>,
  path: string,
  options: CallOptions = {},
): Promise<EventReader> {
  const context = createExecutionContext();
  const isolate = { ...env, ...replaced };
  return new EventReader(await worker.fetch(request("GET", path, options), isolate, context));
}

/** Returns the URL of the OFREP stream of an API key, from a bulk evaluation. */
export async function ofrepUrl(apiKey: string): Promise<string> {
  const answer = await call("POST", "/api/ofrep/v1/evaluate/flags", {
    token: apiKey,
    body: { context: {} },
  });
  return answer.body.eventStreams[0].endpoint.requestUri;
}
