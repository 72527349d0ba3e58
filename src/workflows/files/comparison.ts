import { API_NAMES } from "@feature-flags/file/activation";
import { DEFAULT_MANAGER } from "@feature-flags/file/file";
import { pointer } from "@feature-flags/file/pointer";
import { ApiError, invalid } from "../../core/errors/api-error.ts";
import { listed, MAX_NAMED } from "../../core/errors/naming.ts";
import { inTurns } from "../../core/lib/turns.ts";
import type { Reading } from "../../access/call.ts";
import { anyRuleOf, needingApproval } from "../../changes/restrictions.ts";
import type { PlanError } from "../../changes/plan/plan.ts";
import { staleRow } from "../../model/optimistic-update.ts";
import { findOwnership } from "../../model/files/ownership-queries.ts";
import { findContent, type ProjectOfFile } from "../../model/files/queries.ts";
import { type Compared, draftOf, type FileRequest, type Given } from "./differences.ts";
import { Digests } from "./field-digests.ts";
import { type OwnedResource, ownedResources } from "./ownership.ts";
import { identify } from "./renames.ts";
import { Ids, Versions } from "./rows.ts";
import { operationsOf, type PlacedOperation } from "./to-operations.ts";

/**
 * The most bytes of strategies, and of segments, that the operations of a file read: as many as a
 * project may have for an export.
 */
export const MAX_READ_BYTES = 16_000_000;

/** A file that was compared with its project. Made once for a plan or an apply. */
export interface Comparison extends Compared {
  readonly operations: readonly PlacedOperation[];
  /** Returns what the file owns after an apply. It is computed once. */
  readonly owned: () => Promise<readonly OwnedResource[]>;
}

/**
 * Reads a project, and compares a file with it for an actor, who decides which environments are protected.
 * Throws: as `draftOf`.
 */
export async function compare(
  { db, actor }: Pick<Reading, "db" | "actor">,
  project: ProjectOfFile,
  request: FileRequest,
): Promise<Comparison> {
  const { projectId } = project;
  const ownership = await findOwnership(db, projectId);
  const content = await findContent(db, project);
  if (request.protectedEnvironments !== "skip")
    return comparisonOf({ content, ownership, request });
  const skipped = new Set(
    (await needingApproval(db, actor, anyRuleOf(projectId))).map(({ name }) => name),
  );
  const { environments = content.environments.map(({ name }) => name) } = request;
  const kept = environments.filter((name) => !skipped.has(name));
  return comparisonOf({ content, ownership, request: { ...request, environments: kept } });
}

/** Compares a file with what was read of its project. Throws: as `draftOf`. */
export async function comparisonOf(given: Given): Promise<Comparison> {
  const { content, ownership, request } = given;
  const manager = request.manage === false ? null : (request.file.manager ?? DEFAULT_MANAGER);
  const mine = ownership.rows.filter((row) => row.manager === manager);
  const named = identify(request.file, content, mine);
  const ids = new Ids(content, named.renames);
  const parts = { ...given, ids, versions: new Versions(content), digests: new Digests() };
  const draft = await draftOf({ ...parts, ...named, manager, mine });
  const compared = { ...parts, draft };
  let owned: Promise<readonly OwnedResource[]> | undefined;
  return {
    ...compared,
    operations: await inTurns(operationsOf(compared)),
    owned: () => (owned ??= ownedResources(compared)),
  };
}

/** The names of fields in a file, by those of operations. */
const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(API_NAMES).map(([name, apiName]) => [apiName, name]),
);

/** Returns the error of refused operations, which names their places in the file. */
export function fileError(
  operations: readonly PlacedOperation[],
  errors: readonly PlanError[],
): ApiError {
  // The row has changed since the file was compared with it, so the comparison is repeated.
  if (errors.some(({ fault }) => fault === "version")) return staleRow;
  const [first] = errors;
  if (!first) throw new Error("There must be an error");
  const { code, status } = first.error;
  const alike = errors.filter(({ error }) => error.code === code && error.status === status);
  const details = alike.flatMap(({ operation, error }) => {
    const path = operations[operation]?.path ?? "";
    if (!error.details) return [{ field: path, message: error.message }];
    return error.details.map(({ field, message }) => ({
      // The path ends with the key of the flag.
      field:
        field === "key"
          ? path
          : `${path}${pointer(...field.split(".").map((name) => NAMES[name] ?? name))}`,
      message,
    }));
  });
  const named = details.slice(0, MAX_NAMED);
  if (code === "VALIDATION_ERROR") return invalid(named, details.length);
  const texts = details.map(({ field, message }) => `${field}: ${message}`);
  return new ApiError(code, listed(texts, "; "), { status, details: named });
}
