import { ApiError } from "./api-error.ts";

/**
 * The error of a call in words of the page's own, where it knows better than the server, which
 * writes English only: by code, or by the field that the error is about. Other errors as they are.
 */
export async function rewordError<T>(
  call: Promise<T>,
  words: { codes?: Readonly<Record<string, string>>; fields?: Readonly<Record<string, string>> },
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const own = words.codes?.[error.code];
    const details = error.details.map(({ field, message }) => ({
      field,
      message: words.fields?.[field] ?? message,
    }));
    // A known code would get its general words back.
    throw error.copyWith({ ...(own !== undefined && { code: "REWORDED", message: own }), details });
  }
}
