import { ApiError } from "./api-error.ts";

/** For a form: a conflict is about the name that is in use, and is told at its field. */
export async function nameInUse<T>(call: Promise<T>, words: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const { status, code, message, traceId } = error;
    const details = [{ field: "name", message: words }];
    throw new ApiError({ status, code, message, traceId, details }, { cause: error });
  }
}
