import { comparable, type Owner } from "@feature-flags/file/defaults";
import { canonicalJson } from "@feature-flags/file/json";
import { sha256 } from "../../core/lib/digest.ts";

/** The length of a stored digest: 132 bits of a SHA-256. */
const LENGTH = 22;

/** The digests of the values of a file. Most values occur often, and each is hashed once. */
export class Digests {
  readonly #known = new Map<string, string>();

  /** Returns the digest of a value. Values that mean the same have the same digest. */
  async of(owner: Owner, field: string, value: unknown): Promise<string> {
    const text = canonicalJson(comparable(owner, field, value));
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const digest = (await sha256(text)).slice(0, LENGTH);
    this.#known.set(text, digest);
    return digest;
  }
}
