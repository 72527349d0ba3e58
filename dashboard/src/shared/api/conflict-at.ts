import { ApiError } from "./api-error.ts";

/** For a form: a conflict is about that field, and is told there in these words. */
export async function conflictAt<T>(call: Promise<T>, field: string, words: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const { status, code, message, traceId } = error;
    const details = [{ field, message: words }];
    throw new ApiError({ status, code, message, traceId, details }, { cause: error });
  }
}
