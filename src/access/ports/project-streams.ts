import type { Actor, SystemActor } from "@feature-flags/permissions/permissions";

/** A change of a project, as a new event stream reads it from the database. */
interface NewestChange {
  readonly change: number;
  /**
   * Whether the change is so recent that a client that has just connected may have read its data
   * before the change.
   */
  readonly isRecent: boolean;
}

/** Returns the name of who holds a stream. */
export const holderOf = (actor: Pick<Exclude<Actor, SystemActor>, "kind" | "id">): string =>
  `${actor.kind} ${actor.id}`;

export interface ProjectStreamStart {
  /** The user or API key that opens the stream, such as `user 7`. Each has a limit of streams. */
  readonly holder: string;
  /**
   * The last change that the client knows. Undefined if the client names none, because it has just
   * loaded its data.
   */
  readonly last: number | undefined;
  /** Reads the newest change; undefined if there is none. */
  readonly readNewest: () => Promise<NewestChange | undefined>;
  /** When the stream ends, epoch milliseconds. */
  readonly until: number;
  /** The signal of the request. It fires when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface ProjectStreamPort {
  /**
   * Returns the body of an event stream with an event for each change of the project. Throws: 429
   * when the service holds as many streams as it can, or the holder as many as it may, 503 when
   * streams are unavailable, and the errors of `readNewest`.
   */
  open(projectId: number, start: ProjectStreamStart): Promise<ReadableStream<Uint8Array>>;
}
