import { createParser } from "eventsource-parser";
import { sendAuthorized } from "./client.ts";
import { sendStreamRequest } from "./send-request.ts";

/** A stream that is silent for this long is dead, milliseconds. The server writes every 25 seconds. */
const SILENCE_MS = 60_000;

/**
 * The longest delay before the first and before any reconnect, milliseconds. The delay is at random
 * between half of that and all of it, so that not all dashboards connect at once after a deploy.
 */
const DELAY_MS = { first: 2_000, longest: 30_000 };

/**
 * Calls `onChange` whenever something in the project changes, until the returned function is called.
 * The stream is open while the tab is visible. When the tab becomes visible again, calls `onChange`
 * once, because the stream was closed meanwhile. A stream that fails is not reported, and connects
 * again.
 */
export function followProject(projectId: number, onChange: () => void): () => void {
  const stream = new ProjectStream(projectId, onChange);
  let open: AbortController | undefined;
  const follow = () => {
    open?.abort();
    open = new AbortController();
    if (!document.hidden) void stream.follow(open.signal);
  };
  const onVisibility = () => {
    if (!document.hidden) onChange();
    follow();
  };
  follow();
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    open?.abort();
  };
}

class ProjectStream {
  readonly #url: string;
  readonly #onChange: () => void;
  #lastEventId = "";
  /** Whether the stream has been open before. */
  #wasOpen = false;

  constructor(projectId: number, onChange: () => void) {
    this.#url = `/api/v1/projects/${projectId}/stream`;
    this.#onChange = onChange;
  }

  /** Reads the stream, and connects again when the stream ends or fails, until `signal` fires. */
  async follow(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const isRead = await this.#read(signal).then(
        () => true,
        () => false,
      );
      failures = isRead ? 0 : failures + 1;
      const longest = Math.min(DELAY_MS.longest, DELAY_MS.first * 2 ** failures);
      await pause(longest * (0.5 + Math.random() / 2), signal);
    }
  }

  /** Reads the stream until it ends. Throws: ApiError, and the errors of `fetch`. */
  async #read(signal: AbortSignal): Promise<void> {
    const silence = new AbortController();
    const abort = () => silence.abort();
    let timer = setTimeout(abort, SILENCE_MS);
    const headers = new Headers({ Accept: "text/event-stream" });
    if (this.#lastEventId !== "") headers.set("Last-Event-ID", this.#lastEventId);
    const request = new Request(this.#url, {
      headers,
      cache: "no-store",
      signal: AbortSignal.any([signal, silence.signal]),
    });
    try {
      const { body } = await sendAuthorized(request, sendStreamRequest);
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      // Until the first event there is no id from which the service could resume, so a change may
      // have been missed.
      if (this.#wasOpen && this.#lastEventId === "") this.#onChange();
      this.#wasOpen = true;
      const parser = createParser({
        onEvent: ({ id, event }) => {
          this.#lastEventId = id ?? this.#lastEventId;
          if (event === "changed") this.#onChange();
        },
      });
      for (;;) {
        const part = await reader?.read();
        if (!part || part.done) return;
        clearTimeout(timer);
        timer = setTimeout(abort, SILENCE_MS);
        parser.feed(part.value);
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Resolves after `ms` milliseconds, or when `signal` fires. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
