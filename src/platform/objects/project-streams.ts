import { eventStream } from "../../client/stream/event-stream.ts";
import type { StreamConnection } from "../../client/sources/ports.ts";
import { ApiError } from "../../core/errors/api-error.ts";
import { EventCursor } from "../../core/stream/event-cursor.ts";
import type { Hidden, ProjectChange } from "../../db/commit.ts";
import { holderOf, type ProjectStreamPort } from "../../access/ports/project-streams.ts";
import type { Counter } from "../../core/metrics/registry.ts";
import { now } from "../runtime/clock.ts";
import { projectStreamMetrics } from "../runtime/metrics.ts";
import {
  closeChannel,
  connectToChannel,
  interruptChannel,
  type Fault,
  memberHolder,
  notifyChannel,
} from "./streams.ts";

/** Returns the channel of a project. The channel of an environment is its id. */
const channelOf = (projectId: number) => `project-${projectId}`;

/**
 * Notifies the streams of a project of a change. A failure is a fault, and the next notification or
 * the minute cron repairs it.
 */
export const notifyProject = (
  env: Env,
  { projectId, change }: ProjectChange,
  fault: Fault,
): Promise<void> => notifyChannel(env, { channel: channelOf(projectId), revision: change }, fault);

/** Ends the streams of a deleted project. A failure is a fault. */
export const closeProject = (env: Env, projectId: number, fault: Fault): Promise<void> =>
  closeChannel(env, channelOf(projectId), fault);

/**
 * Ends the streams of a user from whom a project is hidden now, or all its streams. The clients connect
 * again, and those who may not see the project get 404. A failure is a fault: the streams then end
 * with their access tokens.
 */
export const interruptProject = (
  env: Env,
  { projectId, userId }: Hidden,
  fault: Fault,
): Promise<void> =>
  interruptChannel(
    env,
    {
      channel: channelOf(projectId),
      holder: userId === undefined ? undefined : holderOf({ kind: "user", id: userId }),
    },
    fault,
  );

const changed = (change: number) => `event: changed\nid: ${change}\ndata: {}\n\n`;

interface Ports {
  readonly fault: Fault;
  /** Lets work continue after the response. The isolate reports its metrics after the work. */
  readonly later: (work: Promise<unknown>) => void;
}

export const projectStreams = (env: Env, { fault, later }: Ports): ProjectStreamPort => ({
  open: async (projectId, { holder, last, readNewest, until, signal }) => {
    const { socket, newest: known } = await connect(env, { projectId, holder }, fault);
    // Reads the newest change after the leaf has registered the socket, so that a later change
    // reaches the socket.
    const found = await readNewest().catch((error: unknown) => {
      socket.accept();
      socket.close(1000, "the change cannot be read");
      throw error;
    });
    const newest = Math.max(known, found?.change ?? 0);
    const cursor = new EventCursor(last ?? 0);
    const isNews = cursor.begin(newest) && (last !== undefined || found?.isRecent === true);
    const ended = new AbortController();
    const end = () => ended.abort();
    const timer = setTimeout(end, until - now());
    const { connects, open, events, heartbeats } = projectStreamMetrics;
    connects[last === undefined ? "opened" : "resumed"].add();
    open.add(1);
    const count = (counter: Counter) => {
      counter.add();
      later(Promise.resolve());
    };
    if (isNews) count(events);
    return eventStream(socket, {
      cursor,
      format: changed,
      // Sends only an id, which is no event without data. The client sends the id when it connects
      // again.
      first: isNews ? changed(newest) : `id: ${newest}\n\n`,
      signal: AbortSignal.any([signal, ended.signal]),
      onEvent: () => count(events),
      onHeartbeat: () => count(heartbeats),
      onEnd: () => {
        clearTimeout(timer);
        open.add(-1);
      },
    });
  },
});

/** Connects to a leaf of a project, and counts a failure. Throws: 429, 503. */
async function connect(
  env: Env,
  { projectId, holder }: { readonly projectId: number; readonly holder: string },
  fault: Fault,
): Promise<StreamConnection> {
  try {
    return await connectToChannel(env, {
      channel: channelOf(projectId),
      kind: "native",
      holder: memberHolder(holder),
    });
  } catch (error) {
    const { connects } = projectStreamMetrics;
    if (error instanceof ApiError) {
      if (error.status === 429) connects.full.add();
      throw error;
    }
    connects.unavailable.add();
    fault("stream", error);
    throw new ApiError(
      "SERVICE_UNAVAILABLE",
      "Event streams are unavailable at the moment; try again later",
    );
  }
}
