import { ApiError } from "../core/errors/api-error.ts";

/**
 * The most characters of all parameters of one transaction. The isolate holds them, their JSON for D1
 * and the rows that they come from at once, and has 128 MB.
 */
const MAX_PARAMETERS = 16_000_000;

/** Throws: 400 if the parameters of a transaction are too large together. */
export function assertFits(parameters: readonly unknown[]): void {
  let length = 0;
  for (const one of parameters) if (typeof one === "string") length += one.length;
  assertLength(length, `it takes ${length} characters`);
}

/**
 * The minimum number of characters of one operation that changes something: its audit record, its event
 * and its row.
 */
const OPERATION_LENGTH = 500;

/**
 * Called before a list of operations is planned, to refuse early what the commit would refuse. Throws: the
 * error of `assertFits`.
 */
export const assertOperationsFit = (operations: number): void =>
  assertLength(
    operations * OPERATION_LENGTH,
    `${operations} operations take at least ${operations * OPERATION_LENGTH} characters`,
  );

function assertLength(length: number, taken: string): void {
  if (length > MAX_PARAMETERS)
    throw new ApiError(
      "BAD_REQUEST",
      `The request changes too much for one transaction: ${taken}, and it may take ` +
        `${MAX_PARAMETERS}. Send several requests; for a file, flags apply --parts does that`,
    );
}
