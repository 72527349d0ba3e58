import type { Statement } from "./commit.ts";

declare const brand: unique symbol;

/** A statement that `record` may execute without an audit record. */
export type Unaudited = Statement & { readonly [brand]: true };

/**
 * Marks a statement that needs no audit record, such as the time of a use or a user's preferences. Only
 * `src/model` may call this function: the linter refuses other imports.
 */
export const unaudited = (statement: Statement): Unaudited => statement as Unaudited;
