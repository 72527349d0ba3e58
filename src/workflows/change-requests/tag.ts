import { canonicalJson } from "../../core/audit/changed-fields.ts";
import { sha256 } from "../../core/lib/digest.ts";
import type { Reviewable } from "../../model/change-requests/open-queries.ts";

/**
 * Returns the entity tag of a request, which the API calls `hash`: the SHA-256 of the hash of its
 * content (`hashOf`), of its title and of its description. It is not stored, so that a release that
 * knows only the stored hash still finds its requests approved after a rollback.
 */
export const tagOf = ({ hash, title, description }: Reviewable): Promise<string> =>
  sha256(canonicalJson([hash, title, description]));
