import type { FieldPlace } from "@feature-flags/file/diff";
import type { Kind } from "@feature-flags/file/schema";
import { NO_ENVIRONMENT } from "../../db/schema/files.ts";
import type { ProjectContent } from "../../model/files/queries.ts";
import type { Rename } from "./renames.ts";

/** Returns the part of a managed row that says which resource it is about. */
export const resourceKey = (kind: Kind, entityId: number, environmentId: number): string =>
  `${kind} ${entityId} ${environmentId}`;

/** The ids of the resources of a project, by the names that the file uses. */
export class Ids {
  readonly #ids: Readonly<Record<Exclude<Kind, "strategy">, ReadonlyMap<string, number>>>;
  readonly #environments: ReadonlyMap<string, number>;

  constructor(content: ProjectContent, renames: readonly Rename[]) {
    const named = (kind: "segment" | "tag", rows: ProjectContent["tags" | "segments"]) =>
      new Map([
        ...rows.map(({ id, name }) => [name, id] as const),
        ...renames.flatMap((one) => (one.kind === kind ? [[one.to, one.id] as const] : [])),
      ]);
    this.#ids = {
      context: new Map(content.contexts.map(({ id, contextKey }) => [contextKey, id])),
      tag: named("tag", content.tags),
      segment: named("segment", content.segments),
      flag: new Map(content.flags.map(({ id, key }) => [key, id])),
    };
    this.#environments = new Map(content.environments.map(({ id, name }) => [name, id]));
  }

  /** Returns the id of a resource; for a strategy, that of its flag. Undefined: it is new. */
  of({ kind, key }: Pick<FieldPlace, "kind" | "key">): number | undefined {
    return this.#ids[kind === "strategy" ? "flag" : kind].get(key);
  }

  /** Returns the id of the environment of a strategy; `NO_ENVIRONMENT` for another resource. */
  environment({ environment }: Pick<FieldPlace, "environment">): number {
    if (environment === undefined) return NO_ENVIRONMENT;
    const id = this.#environments.get(environment);
    if (id === undefined) throw new Error(`The environment ${environment} must exist`);
    return id;
  }
}

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
