interface Env {
  /** The Worker that is the service. */
  readonly API: Fetcher;
}

/** Hands on what `_routes.json` sends here, as it came, and the answer as it comes. */
export const onRequest: PagesFunction<Env> = ({ request, env }) => env.API.fetch(request);
