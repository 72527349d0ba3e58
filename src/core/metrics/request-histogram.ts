import type { Histogram, MetricsRegistry } from "./registry.ts";

/** RFC 9110 section 9, and PATCH: any other method is the caller's own invention. */
export const KNOWN_METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** The route of a request that none took: callers make up any number of paths. */
export const UNMATCHED_ROUTE = "UNKNOWN";

type ByStatus = Map<number, Histogram>;

/** Counts requests. Each series is found by look-ups alone: this is on the path of every poll. */
export class RequestHistogram {
  readonly #metrics: MetricsRegistry;
  readonly #routes = new Map<string, Map<string, ByStatus>>();

  constructor(metrics: MetricsRegistry) {
    this.#metrics = metrics;
  }

  /** `route` is the pattern of the route that took it, such as `/api/v1/flags/{id}`. */
  observe(method: string, route: string, status: number, seconds: number): void {
    const known = this.#routes.get(route)?.get(method)?.get(status);
    (known ?? this.#find(method, route, status)).observe(seconds);
  }

  #find(asked: string, route: string, status: number): Histogram {
    const method = KNOWN_METHODS.has(asked) ? asked : "OTHER";
    const labels = { method, uri: route, status: String(status) };
    const histogram = this.#metrics.histogram("http_server_requests_seconds", labels);
    // What a caller invented is not kept.
    if (method !== asked) return histogram;
    const methods = this.#routes.get(route) ?? new Map<string, ByStatus>();
    const statuses = methods.get(method) ?? new Map<number, Histogram>();
    this.#routes.set(route, methods.set(method, statuses.set(status, histogram)));
    return histogram;
  }
}
