import { DurableObject } from "cloudflare:workers";
import {
  decideRefresh,
  isAlive,
  type RefreshDecision,
  type RefreshFamily,
  type Rotation,
} from "../../core/sessions/refresh-family.ts";

const FAMILY = "family";
const issued = (hash: string) => `issued:${hash}`;

/**
 * The Durable Object of one refresh family. No method awaits between its reads and its writes, so a
 * concurrent call sees either none or all of its changes.
 */
export class RefreshFamilyObject extends DurableObject<Env> {
  async open(userId: number, rotation: Rotation): Promise<void> {
    this.#save({
      userId,
      currentHash: rotation.nextHash,
      refreshedAt: Date.now(),
      expiresAt: rotation.expiresAt,
      revoked: false,
    });
    await this.ctx.storage.setAlarm(rotation.expiresAt);
  }

  async refresh(presentedHash: string, next: Rotation): Promise<RefreshDecision> {
    const { kv } = this.ctx.storage;
    const wasIssued = kv.get(issued(presentedHash)) !== undefined;
    const presented = { hash: presentedHash, wasIssued };
    const decision = decideRefresh(this.#family(), presented, next, Date.now());
    if ("family" in decision) this.#save(decision.family);
    if (decision.outcome === "rotated") await this.ctx.storage.setAlarm(next.expiresAt);
    return decision;
  }

  /**
   * Returns the refresh family; undefined when it does not exist, was revoked, has expired or was
   * not refreshed for `timeoutMs` milliseconds.
   */
  async describe(timeoutMs: number): Promise<RefreshFamily | undefined> {
    const family = this.#family();
    return family && isAlive(family, timeoutMs, Date.now()) ? family : undefined;
  }

  /** Deletes the expired refresh family and its refresh tokens. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #family(): RefreshFamily | undefined {
    return this.ctx.storage.kv.get<RefreshFamily>(FAMILY);
  }

  #save(family: RefreshFamily): void {
    this.ctx.storage.kv.put(FAMILY, family);
    this.ctx.storage.kv.put(issued(family.currentHash), true);
  }
}
