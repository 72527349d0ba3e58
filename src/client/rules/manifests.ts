import { LRUCache } from "lru-cache";
import type { SqlClient } from "../../db/database.ts";
import { manifestFlag } from "@feature-flags/client-api/manifest";
import { readManifestFlags, readSequence } from "./manifest-queries.ts";

/** The most characters of manifests that an isolate keeps. */
const MAX_LENGTH = 8_000_000;

/** Names the form of the manifest in its ETag. Increase it with each change of the form. */
const FORM = 1;

/** A manifest as a response has it. */
interface Manifest {
  readonly etag: string;
  /** The body, JSON. */
  readonly body: string;
}

/** Which flags a manifest has: all, or those that browsers get. */
export type Audience = "all" | "browser";

/** The manifests that an isolate has read, by project and audience. */
export class Manifests {
  readonly #read = new LRUCache<string, Manifest>({
    maxSize: MAX_LENGTH,
    sizeCalculation: ({ body }) => body.length,
  });

  /**
   * Returns the manifest of a project. `body` is undefined if the caller holds it already. Reads one
   * row, and the flags only if one has changed since this isolate read them. Throws: D1's errors, and
   * an error for an invalid row.
   */
  async of(
    client: SqlClient,
    { projectId, audience }: { readonly projectId: number; readonly audience: Audience },
    isHeld: (etag: string) => boolean,
  ): Promise<{ readonly etag: string; readonly body: string | undefined }> {
    // Read before the flags: a flag that changes in between gets the manifest another ETag, so a
    // caller never keeps an older manifest.
    const etag = etagOf(projectId, await readSequence(client, projectId), audience);
    if (isHeld(etag)) return { etag, body: undefined };
    const name = `${projectId} ${audience}`;
    const known = this.#read.get(name);
    if (known?.etag === etag) return known;
    const all = await readManifestFlags(client, projectId);
    const flags = audience === "all" ? all : all.filter(({ clients }) => clients === "all");
    const manifest = { etag, body: JSON.stringify({ flags: flags.map(manifestFlag) }) };
    this.#read.set(name, manifest);
    return manifest;
  }
}

const etagOf = (projectId: number, sequence: number, audience: Audience) =>
  `"${FORM}-${projectId}-${sequence}${audience === "all" ? "" : `-${audience}`}"`;
