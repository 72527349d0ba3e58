import type { Histogram, MetricsRegistry } from "./registry.ts";

/**
 * The HTTP methods of RFC 9110 section 9, and PATCH of RFC 5789. A caller may send any other text
 * as method.
 */
export const KNOWN_METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/**
 * The metric label of a request that matched no route. Its path as a label would create any number
 * of series.
 */
export const UNMATCHED_ROUTE = "UNKNOWN";

type ByStatus = Map<number, Histogram>;

/**
 * Counts and times HTTP requests. Series are found by map look-ups, because every poll is counted
 * here.
 */
export class RequestHistogram {
  readonly #metrics: MetricsRegistry;
  readonly #routes = new Map<string, Map<string, ByStatus>>();

  constructor(metrics: MetricsRegistry) {
    this.#metrics = metrics;
  }

  /** @param route the pattern of the matched route, such as `/api/v1/flags/{id}` */
  observe(method: string, route: string, status: number, seconds: number): void {
    const known = this.#routes.get(route)?.get(method)?.get(status);
    (known ?? this.#find(method, route, status)).observe(seconds);
  }

  #find(requested: string, route: string, status: number): Histogram {
    const method = KNOWN_METHODS.has(requested) ? requested : "OTHER";
    const labels = { method, uri: route, status: String(status) };
    const histogram = this.#metrics.histogram("http_server_requests_seconds", labels);
    // An unknown method is not cached, because callers could fill the map with invented ones.
    if (method !== requested) return histogram;
    const methods = this.#routes.get(route) ?? new Map<string, ByStatus>();
    const statuses = methods.get(method) ?? new Map<number, Histogram>();
    this.#routes.set(route, methods.set(method, statuses.set(status, histogram)));
    return histogram;
  }
}
