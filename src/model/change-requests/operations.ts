import type { Content } from "../../core/audit/changed-fields.ts";
import type { RequestKind } from "../../core/change-requests/kinds.ts";

/** The target of an operation. Two operations of a request have different targets. */
export interface Target {
  readonly kind: RequestKind;
  /** The id of the flag or segment. */
  readonly targetId: number;
  /** Null for an operation that is not about a strategy. */
  readonly environmentId: number | null;
}

/** An operation of a change request, as it is stored. */
export interface RequestOperation extends Target {
  /** What the author has asked for: the body of the direct change. */
  readonly change: unknown;
  /** The content of the target before the change. */
  readonly base: Content;
  /** The digest of what the operation is based on. Null for one that an earlier release has stored. */
  readonly basis: string | null;
  /** The content of the target after the change. */
  readonly after: Content;
}

/** What an operation writes. */
export type WrittenOperation = Target & Pick<RequestOperation, "after">;

/** What an operation writes, and what that is based on. */
export type BasedOperation = WrittenOperation & Pick<RequestOperation, "basis">;
