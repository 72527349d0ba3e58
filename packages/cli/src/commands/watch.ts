import { setTimeout as wait } from "node:timers/promises";
import { changeText, type Fields } from "../change-text.ts";
import { type Connection, connect } from "../connect.ts";
import { Failure } from "../failure.ts";
import type { ConnectionOptions } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import type { AuditPage, AuditRecord, Environment } from "../types.ts";

interface Options extends ConnectionOptions {
  readonly env?: string;
  readonly count?: string;
}

/** A stream that is silent for this long is dead, milliseconds. The service writes every 25 seconds. */
const SILENCE_MS = 60_000;

/** The delay before the stream is opened again, milliseconds: doubled after each failure. */
const DELAY_MS = { first: 1_000, longest: 30_000 };

/** Prints each change of the project when it happens, until the user stops the program. */
export async function run(terminal: Terminal, options: Options): Promise<void> {
  const limit = countOf(options.count);
  const connection = await connect(options, terminal);
  const environments = await connection.environments();
  const environment =
    options.env === undefined ? undefined : await connection.environment(options.env);
  const follower = new Follower(terminal, connection, { environments, environment, limit });
  await follower.start();
}

function countOf(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Failure("usage", `count must be a whole number above 0: ${text}`);
}

interface Watched {
  readonly environments: readonly Environment[];
  /** Only changes of this environment are printed. Undefined: all changes. */
  readonly environment: Environment | undefined;
  /** How many changes are printed before the program ends. */
  readonly limit: number;
}

class Follower {
  readonly #terminal: Terminal;
  readonly #connection: Connection;
  readonly #watched: Watched;
  /** The id of the newest audit record that was read. */
  #newest = 0;
  #printed = 0;
  #lastEventId = "";

  constructor(terminal: Terminal, connection: Connection, watched: Watched) {
    this.#terminal = terminal;
    this.#connection = connection;
    this.#watched = watched;
  }

  async start(): Promise<void> {
    this.#newest = (await this.#audit({ size: 1 })).items[0]?.id ?? 0;
    for (let failures = 0; !this.#isDone;) {
      try {
        await this.#read();
        failures = 0;
      } catch (error) {
        if (!(error instanceof Failure) || error.exit !== "unreachable") throw error;
        this.#terminal.message(`${error.message}; trying again`);
        failures++;
      }
      if (this.#isDone) return;
      await wait(Math.min(DELAY_MS.longest, DELAY_MS.first * 2 ** failures));
    }
  }

  get #isDone(): boolean {
    return this.#printed >= this.#watched.limit;
  }

  /** Reads the stream until it ends, and prints the changes at each event. Throws: a Failure. */
  async #read(): Promise<void> {
    const { api, project } = this.#connection;
    const end = new AbortController();
    let timer = setTimeout(() => end.abort(), SILENCE_MS);
    const headers = {
      Accept: "text/event-stream",
      ...(this.#lastEventId !== "" && { "Last-Event-ID": this.#lastEventId }),
    };
    try {
      const { body } = await api.open(
        "GET",
        `/projects/${project.id}/stream`,
        { headers },
        end.signal,
      );
      // The records since the last one that was printed: the stream may have been closed meanwhile.
      await this.#print();
      this.#terminal.message(`Watching ${project.name} ...`);
      const decoder = new TextDecoder();
      let rest = "";
      for await (const part of body ?? []) {
        clearTimeout(timer);
        timer = setTimeout(() => end.abort(), SILENCE_MS);
        const lines = `${rest}${decoder.decode(part, { stream: true })}`.split("\n");
        rest = lines.pop() ?? "";
        if (this.#isChange(lines)) await this.#print();
        if (this.#isDone) return;
      }
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure("unreachable", "The stream has ended");
    } finally {
      clearTimeout(timer);
      end.abort();
    }
  }

  /** Whether lines of the stream have an event. The events have no data, so their other lines do not matter. */
  #isChange(lines: readonly string[]): boolean {
    for (const line of lines)
      if (line.startsWith("id:")) this.#lastEventId = line.slice("id:".length).trim();
    return lines.some((line) => /^event: ?changed\r?$/.test(line));
  }

  #audit(query: { readonly size: number; readonly beforeId?: number }): Promise<AuditPage> {
    const projectId = this.#connection.project.id;
    return this.#connection.api.get("/audit", { projectId, related: true, ...query });
  }

  /** Prints the audit records that are newer than the last one, the oldest first. */
  async #print(): Promise<void> {
    const lines: (readonly [AuditRecord, string])[] = [];
    let last = this.#newest;
    for (let before: number | undefined; ;) {
      const page = await this.#audit({
        size: 50,
        ...(before !== undefined && { beforeId: before }),
      });
      const fresh = page.items.filter(({ id }) => id > this.#newest);
      for (const record of fresh) lines.push([record, this.#line(record, page)]);
      last = Math.max(last, fresh[0]?.id ?? 0);
      before = fresh.at(-1)?.id;
      if (fresh.length < page.items.length || before === undefined) break;
    }
    this.#newest = last;
    const { environment } = this.#watched;
    for (const [record, line] of lines.toReversed()) {
      if (this.#isDone) return;
      if (environment !== undefined && record.environmentId !== environment.id) continue;
      this.#terminal.result({ change: record }, line);
      this.#printed++;
    }
  }

  #line(record: AuditRecord, { related = [] }: AuditPage): string {
    const { at, action, actor, entityType, entityId, environmentId, before, after, reason } =
      record;
    const entity = related.find((one) => one.entityType === entityType && one.id === entityId);
    const environment = this.#watched.environments.find(({ id }) => id === environmentId);
    const fields = changeText(before as Fields, after as Fields);
    return [
      at,
      actor.displayName ?? actor.name ?? "service",
      action,
      entity?.name ?? `${entityType} ${entityId}`,
      environment === undefined ? [] : `in ${environment.name}`,
      fields === "" ? [] : `: ${fields}`,
      reason === null ? [] : `(${reason})`,
    ]
      .flat()
      .join(" ");
  }
}
