import { DurableObject } from "cloudflare:workers";
import type { StreamChange } from "../../core/stream/change.ts";
import { MINUTE_MS } from "../../core/lib/time.ts";
import { type HubState, StreamHub } from "../../core/stream/hub.ts";
import { now } from "../runtime/clock.ts";
import { LEAVES, leafOf } from "./stream-leaves.ts";

const STATE = "state";

/**
 * How long the stream objects of a deleted environment or project keep their storage, milliseconds.
 * Until then they know that it was deleted and reject new connections, because an isolate may still
 * accept an API key of the environment.
 */
const FORGET_MS = 10 * MINUTE_MS;

/** The Durable Object of the event streams of one environment or project, which reaches all their leaves. */
export class StreamHubObject extends DurableObject<Env> {
  readonly #hub = new StreamHub({
    leaves: LEAVES,
    load: () => this.ctx.storage.kv.get<HubState>(STATE),
    save: (state) => this.ctx.storage.kv.put(STATE, state),
    send: async (leaf, change) => this.#leaf(leaf).send(change),
  });

  /** Passes a new revision to all streams. Throws the errors of the calls of the leaves. */
  async notify(change: StreamChange): Promise<void> {
    await this.#hub.notify(change);
  }

  /** Ends the streams of a deleted API key. Throws the errors of the calls of the leaves. */
  async closeKey(keyId: number): Promise<void> {
    await Promise.all(this.#leaves().map((leaf) => leaf.closeKey(keyId)));
  }

  /**
   * Ends all streams, because the environment or the project was deleted. The alarm deletes the
   * storage of the hub and the leaves later. Throws the errors of the calls of the leaves; the
   * alarm then ends the streams.
   */
  async closeAll(): Promise<void> {
    await this.ctx.storage.setAlarm(now() + FORGET_MS);
    await Promise.all(this.#leaves().map((leaf) => leaf.closeAll()));
  }

  /**
   * Ends the streams of a holder, or all streams. Their clients may connect again. Throws the errors of
   * the calls of the leaves.
   */
  async interrupt(holder: string | undefined): Promise<void> {
    await Promise.all(this.#leaves().map((leaf) => leaf.interrupt(holder)));
  }

  /** Deletes all storage. If a leaf fails, the platform repeats the alarm. */
  override async alarm(): Promise<void> {
    await Promise.all(this.#leaves().map((leaf) => leaf.forget()));
    await this.ctx.storage.deleteAll();
  }

  #leaves() {
    return Array.from({ length: LEAVES }, (_, leaf) => this.#leaf(leaf));
  }

  #leaf(leaf: number) {
    return leafOf(this.env, this.ctx.id.name ?? "", leaf);
  }
}
