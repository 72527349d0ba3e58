import { lazyRouteComponent } from "@tanstack/react-router";
import { ApiError } from "../shared/api/api-error.ts";

/**
 * Creates a route component whose code loads when the user opens the route, or when the router
 * preloads the route. If the file with the code is missing, a new deployment has replaced the file,
 * and the router reloads the tab. If the server cannot be reached, loading throws an ApiError
 * `UNREACHABLE` instead, because a reload would lose the current page.
 */
export const lazyPage = <T extends Record<string, unknown>, Name extends keyof T>(
  load: () => Promise<T>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (error) {
      if (await isReachable()) throw error;
      const message = "The server cannot be reached.";
      throw new ApiError({ status: 0, code: "UNREACHABLE", message }, { cause: error });
    }
  }, name);

const isReachable = async (): Promise<boolean> => {
  try {
    return (await fetch("/favicon.svg", { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
};
