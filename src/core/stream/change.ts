/**
 * The kinds of event streams. `native` is for SDKs that evaluate flags themselves, `ofrep` for OFREP clients.
 */
export const STREAM_KINDS = ["native", "ofrep"] as const;
export type StreamKind = (typeof STREAM_KINDS)[number];

/** A new revision of an environment, on its way from the writer to the connected clients. */
export interface StreamChange {
  readonly revision: number;
  /** The rules that changed, as `deltaOf` returns them; undefined when they are too large. */
  readonly delta?: string | undefined;
}

/**
 * Returns the message about a change from a leaf to the Workers that hold its streams: the revision, a line
 * break, and the data of the event. So a Worker reads the revision without parsing the data.
 */
export const messageOf = (kind: StreamKind, { revision, delta }: StreamChange): string =>
  `${revision}\n${(kind === "native" ? delta : undefined) ?? dataOf(revision)}`;

/** Returns the data of an event of `GET /api/client/stream` that contains no rules. */
export const dataOf = (revision: number): string => JSON.stringify({ revision });

/** The message with which a leaf makes a Worker find out whether the client of a stream has left. */
export const PROBE = "probe";

export interface Message {
  readonly revision: number;
  /** The revision before the change. Undefined if the data does not have the changed rules. */
  readonly from?: number;
  readonly data: string;
}

/** Matches the beginning of the data that `deltaOf` makes for an event with rules. */
const DELTA = /^\{"revision":\d+,"from":(\d+),/;

/** Reads a message that `messageOf` made. */
export function readMessage(message: string): Message {
  const end = message.indexOf("\n");
  const data = message.slice(end + 1);
  const [, from] = DELTA.exec(data) ?? [];
  const revision = Number(message.slice(0, end));
  return { revision, data, ...(from !== undefined && { from: Number(from) }) };
}
