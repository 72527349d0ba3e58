import type { Kind } from "@feature-flags/file/schema";
import { NO_ENVIRONMENT } from "../../db/schema/files.ts";
import { resourceKey } from "./differences.ts";
import type { ProjectContent } from "../../model/files/queries.ts";

/** The versions of the resources of a project as they were read. */
export class Versions {
  readonly #versions: ReadonlyMap<string, number>;

  constructor(content: ProjectContent) {
    const named = (["context", "tag", "segment", "flag"] as const).flatMap((kind) =>
      content[`${kind}s`].map(
        ({ id, version }) => [resourceKey(kind, id, NO_ENVIRONMENT), version] as const,
      ),
    );
    const strategies = content.strategies.map(
      ({ flagId, environmentId, version }) =>
        [resourceKey("strategy", flagId, environmentId), version] as const,
    );
    this.#versions = new Map([...named, ...strategies]);
  }

  /** Returns the version of a resource; 0 for a strategy that nobody has set. */
  of(kind: Kind, id: number, environmentId = NO_ENVIRONMENT): number {
    return this.#versions.get(resourceKey(kind, id, environmentId)) ?? 0;
  }
}
