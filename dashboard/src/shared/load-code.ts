import { ApiError } from "./api/api-error.ts";

/**
 * Loads code with a dynamic import.
 * Throws: ApiError `UNREACHABLE` if the server cannot be reached. A reload of the tab would lose the
 * page then. Otherwise the error of the import.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (await isReachable()) throw error;
    const message = "The server cannot be reached.";
    throw new ApiError({ status: 0, code: "UNREACHABLE", message }, { cause: error });
  }
}

const isReachable = async (): Promise<boolean> => {
  try {
    return (await fetch("/favicon.svg", { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
};
