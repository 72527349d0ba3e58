import { lazyRouteComponent } from "@tanstack/react-router";
import { ApiError } from "../shared/api/api-error.ts";

/**
 * A page that is loaded when it is first visited. The router reloads the tab for a file that is gone,
 * since a deploy has another in its place. When it is the server that is out of reach, that would take
 * away what is shown, so then it is a failure like any other.
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
