interface Env {
  /** The Worker of the service. */
  readonly API: Fetcher;
}

/** Forwards every request that `_routes.json` sends to this function, and returns the response unchanged. */
export const onRequest: PagesFunction<Env> = ({ request, env }) => env.API.fetch(request);
