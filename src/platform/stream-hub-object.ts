import { DurableObject } from "cloudflare:workers";
import type { StreamChange } from "../core/stream/change.ts";
import { type HubState, StreamHub } from "../core/stream/hub.ts";
import { LEAVES, leafOf } from "./stream-leaves.ts";

const STATE = "state";

/** The Durable Object of the event streams of one environment or project, which reaches all their leaves. */
export class StreamHubObject extends DurableObject<Env> {
  readonly #hub = new StreamHub({
    leaves: LEAVES,
    load: () => this.ctx.storage.kv.get<HubState>(STATE),
    save: (state) => this.ctx.storage.kv.put(STATE, state),
    send: async (leaf, change) => this.#leaf(leaf).send(change),
  });

  /** Passes a new revision to all streams. Throws whatever the calls of the leaves throw. */
  async notify(change: StreamChange): Promise<void> {
    await this.#hub.notify(change);
  }

  /** Ends the streams of a deleted API key. Throws whatever the calls of the leaves throw. */
  async closeKey(keyId: number): Promise<void> {
    const leaves = Array.from({ length: LEAVES }, (_, leaf) => this.#leaf(leaf));
    await Promise.all(leaves.map((leaf) => leaf.closeKey(keyId)));
  }

  #leaf(leaf: number) {
    return leafOf(this.env, this.ctx.id.name ?? "", leaf);
  }
}
