import { useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { fieldErrorsOf } from "../api/field-errors.ts";

export interface Row {
  /** The React key. */
  readonly id: string;
  /** The error messages that the last attempt to save has found, by field. */
  readonly errors: Readonly<Partial<Record<string, string>>>;
}

/**
 * The rows of a list in a form. `list` is the name of the list in the API's field errors, such as
 * `variants` in `variants.2.value`. `failures` counts the attempts to save that found errors in
 * rows.
 */
export function useRows<R extends Row>(list: string, initial: () => R[]) {
  const [rows, setRows] = useState<readonly R[]>(initial);
  const [failures, setFailures] = useState(0);
  const fail = (marked: readonly R[]) => {
    setRows(marked);
    setFailures((count) => count + 1);
  };

  /**
   * Calls `send`, unless the checked rows have errors. Shows errors at their rows, those of the API
   * too. Throws the API's error without them if it has other field errors.
   */
  const submit = async (checked: readonly R[], send: () => Promise<unknown>): Promise<void> => {
    if (hasErrors(checked)) return fail(checked);
    setRows(checked);
    try {
      await send();
    } catch (error) {
      const marked = withErrors(checked, list, fieldErrorsOf(error));
      if (!hasErrors(marked)) throw error;
      fail(marked);
      if (!(error instanceof ApiError)) throw error;
      const details = error.details.filter(({ field }) => !field.startsWith(`${list}.`));
      if (details.length > 0) throw error.copyWith({ details });
    }
  };
  return { rows, setRows, failures, submit };
}

const hasErrors = (rows: readonly Row[]): boolean =>
  rows.some(({ errors }) => Object.keys(errors).length > 0);

function withErrors<R extends Row>(
  rows: readonly R[],
  list: string,
  errors: Readonly<Record<string, string>>,
): R[] {
  const found = rows.map((): Record<string, string> => ({}));
  for (const [path, message] of Object.entries(errors)) {
    const [name, index, field] = path.split(".");
    const row = name === list ? found[Number(index)] : undefined;
    if (row && field !== undefined) row[field] ??= message;
  }
  return rows.map((row, index) => ({ ...row, errors: found[index] ?? {} }));
}
