import type { Histogram, MetricsRegistry } from "./registry.ts";

/**
 * The HTTP methods that metrics and logs name: those of RFC 9110 section 9 without CONNECT and TRACE, and
 * PATCH (RFC 5789). Any other method is recorded as `OTHER`, because callers may invent methods.
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
 * The route label of a request that matched no route. If the path were the label, callers could
 * create any number of time series.
 */
export const UNMATCHED_ROUTE = "UNKNOWN";

type ByStatus = Map<number, Histogram>;

/**
 * The histogram of the durations of HTTP requests, by method, route and status. It counts every
 * poll of an SDK, so it finds the time series by map look-ups, which are fast.
 */
export class RequestHistogram {
  readonly #metrics: MetricsRegistry;
  readonly #routes = new Map<string, Map<string, ByStatus>>();

  constructor(metrics: MetricsRegistry) {
    this.#metrics = metrics;
  }

  /**
   * Records one request.
   * @param route the pattern of the matched route, such as `/api/v1/flags/{id}`
   * @param seconds the duration of the request
   */
  observe(method: string, route: string, status: number, seconds: number): void {
    const known = this.#routes.get(route)?.get(method)?.get(status);
    (known ?? this.#find(method, route, status)).observe(seconds);
  }

  #find(requested: string, route: string, status: number): Histogram {
    const method = KNOWN_METHODS.has(requested) ? requested : "OTHER";
    const labels = { method, uri: route, status: String(status) };
    const histogram = this.#metrics.histogram("http_server_requests_seconds", labels);
    // Does not store an unknown method in the map. Otherwise callers could fill the map with
    // invented methods.
    if (method !== requested) return histogram;
    const methods = this.#routes.get(route) ?? new Map<string, ByStatus>();
    const statuses = methods.get(method) ?? new Map<number, Histogram>();
    this.#routes.set(route, methods.set(method, statuses.set(status, histogram)));
    return histogram;
  }
}
